package io.tidemark.nodeid.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The pool of a pod subnet")
class PodAddressPoolTest {
  private static PodAddressPool pool(String subnet) {
    return new PodAddressPool(Cidr.parse(subnet), Duration.ZERO);
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text);
  }

  private static List<IpAddress> fill(PodAddressPool pool) {
    List<IpAddress> all = new ArrayList<>();
    for (Optional<IpAddress> next = pool.allocate(0); next.isPresent(); next = pool.allocate(0)) {
      all.add(next.get());
    }
    return all;
  }

  @DisplayName("NI-25 A subnet has four addresses fewer for pods (E9)")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "1.2.128.8/29, 4",
    "1.2.128.16/28, 12",
    "10.1.5.0/26, 60",
    "10.1.5.0/25, 124",
    "10.1.5.0/24, 252",
    "1.4.4.0/22, 1020",
    "10.1.5.0/30, 0",
    "10.1.5.0/31, 0",
    "10.1.5.5/32, 0",
    "fe10:f00d::500/120, 252",
    "fe10:f00d::/126, 0",
    "fe10:f00d::1/128, 0"
  })
  void sizes(String subnet, int expected) {
    PodAddressPool pool = pool(subnet);
    assertThat(pool.stats()).isEqualTo(new PodAddressPool.Stats(expected, 0, 0));
    List<IpAddress> all = fill(pool);
    assertThat(all).hasSize(expected).doesNotHaveDuplicates();
    assertThat(pool.allocate(0)).isEmpty();
    assertThat(pool.stats()).isEqualTo(new PodAddressPool.Stats(expected, expected, 0));
    assertThat(pool.stats().free()).isZero();
    Cidr cidr = Cidr.parse(subnet);
    assertThat(all)
        .allMatch(cidr::contains)
        .doesNotContain(cidr.first(), cidr.last(), cidr.first().plus(1), cidr.last().plus(-1));
  }

  @DisplayName("NI-6 Host parts of more than 24 bits, and of more than 63")
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "2001:0:0:10::/60, 2001:0:0:10::2, 4611686018427387902",
    "2001:db8::/64, 2001:db8::2, 4611686018427387902",
    "2001:db8::/65, 2001:db8::2, 4611686018427387902",
    "2001:db8::/66, 2001:db8::2, 4611686018427387900",
    "2001:db8::/103, 2001:db8::2, 33554428",
    "10.0.0.0/7, 10.0.0.2, 33554428"
  })
  void wide(String subnet, String first, long capacity) {
    PodAddressPool pool = pool(subnet);
    assertThat(pool.stats().capacity()).isEqualTo(capacity);
    assertThat(pool.allocate(0)).contains(ip(first));
    assertThat(pool.allocate(0)).contains(ip(first).plus(1));
    assertThat(pool.release(ip(first), 0)).isTrue();
    assertThat(pool.release(ip(first), 0)).isFalse();
    assertThat(pool.allocate(0)).contains(ip(first).plus(2));
    IpAddress last = Cidr.parse(subnet).last();
    assertThat(pool.take(last)).isFalse();
    assertThat(pool.take(last.plus(-1))).isFalse();
    assertThat(pool.take(last.plus(-2))).isTrue();
    assertThat(pool.release(last.plus(-2), 0)).isTrue();
  }

  @Test
  @DisplayName("NI-10/NI-11 A full pool gives exactly what was released")
  void refill() {
    PodAddressPool pool = pool("1.2.128.8/29");
    List<IpAddress> first = fill(pool);
    first.forEach(each -> assertThat(pool.release(each, 0)).isTrue());
    List<IpAddress> second = fill(pool);
    assertThat(second).containsExactlyInAnyOrderElementsOf(first);
    pool.release(second.get(2), 0);
    pool.release(second.get(3), 0);
    assertThat(fill(pool)).containsExactlyInAnyOrder(second.get(2), second.get(3));
  }

  @DisplayName("NI-24/NI-D1 A full subnet stays full over restarts: neither loopback nor broadcast")
  @ParameterizedTest
  @ValueSource(strings = {"1.2.128.8/29", "fe10:f00d::8/125"})
  void full(String subnet) {
    Set<IpAddress> running = new HashSet<>(fill(pool(subnet)));
    assertThat(running).hasSize(4);
    for (int restarts = 0; restarts < 3; restarts++) {
      PodAddressPool pool = pool(subnet);
      running.forEach(each -> assertThat(pool.take(each)).isTrue());
      assertThat(pool.allocate(0)).isEmpty();
    }
  }
}
