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

  @Test
  @DisplayName("NI-8 A released address is used again after the others")
  void rotation() {
    PodAddressPool pool = pool("1.2.128.8/29");
    assertThat(pool.allocate(0)).contains(ip("1.2.128.10"));
    assertThat(pool.allocate(0)).contains(ip("1.2.128.11"));
    assertThat(pool.release(ip("1.2.128.11"), 0)).isTrue();
    assertThat(pool.allocate(0)).contains(ip("1.2.128.12"));
    assertThat(pool.allocate(0)).contains(ip("1.2.128.13"));
    assertThat(pool.allocate(0)).contains(ip("1.2.128.11"));
    assertThat(pool.allocate(0)).isEmpty();
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
  @DisplayName("What is reserved, taken or elsewhere is not taken; what is free is not released")
  void refusals() {
    PodAddressPool pool = pool("10.1.5.0/24");
    for (String reserved : List.of("10.1.5.0", "10.1.5.1", "10.1.5.254", "10.1.5.255")) {
      assertThat(pool.isReserved(ip(reserved))).isTrue();
      assertThat(pool.take(ip(reserved))).isFalse();
      assertThat(pool.release(ip(reserved), 0)).isFalse();
    }
    for (String other : List.of("10.1.4.9", "10.1.6.9", "fe80::9")) {
      assertThat(pool.take(ip(other))).isFalse();
      assertThat(pool.release(ip(other), 0)).isFalse();
    }
    assertThat(pool.take(ip("10.1.5.9"))).isTrue();
    assertThat(pool.take(ip("10.1.5.9"))).isFalse();
    assertThat(pool.release(ip("10.1.5.10"), 0)).isFalse();
    assertThat(pool.stats().used()).isEqualTo(1);
  }

  @DisplayName("NI-25/NI-D1 After a restart the search goes on behind the highest address (E8)")
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "10.1.5.0/24, 10.1.5.2 10.1.5.3 10.1.5.7, 10.1.5.8",
    "10.1.5.0/24, 10.1.5.7 10.1.5.2 10.1.5.3, 10.1.5.8",
    "fe10:f00d::500/120, fe10:f00d::502 fe10:f00d::503 fe10:f00d::507, fe10:f00d::508",
    "10.1.5.0/24, 10.1.5.253, 10.1.5.2",
    "10.1.5.0/24, 10.1.5.252, 10.1.5.253"
  })
  void restart(String subnet, String running, String next) {
    PodAddressPool pool = pool(subnet);
    for (String each : running.split(" ", -1)) {
      assertThat(pool.take(ip(each))).isTrue();
    }
    assertThat(pool.allocate(0)).contains(ip(next));
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

  @Test
  @DisplayName("NI-D14 A released address cools, even if it is the only one that is free")
  void cooldown() {
    PodAddressPool pool = new PodAddressPool(Cidr.parse("1.2.128.8/29"), Duration.ofSeconds(30));
    List<IpAddress> all = fill(pool);
    long second = 1_000_000_000L;
    assertThat(pool.release(all.get(1), 5 * second)).isTrue();
    assertThat(pool.release(all.get(1), 6 * second)).as("twice").isFalse();
    assertThat(pool.release(all.get(0), 10 * second)).isTrue();
    assertThat(pool.stats()).isEqualTo(new PodAddressPool.Stats(4, 2, 2));
    assertThat(pool.allocate(34 * second)).isEmpty();
    assertThat(pool.allocate(35 * second)).contains(all.get(1));
    assertThat(pool.allocate(35 * second)).isEmpty();
    assertThat(pool.allocate(40 * second)).contains(all.get(0));
    assertThat(pool.stats()).isEqualTo(new PodAddressPool.Stats(4, 4, 0));
  }

  @Test
  @DisplayName("A cooling address can be taken by the pod that has it after all")
  void takenWhileCooling() {
    PodAddressPool pool = new PodAddressPool(Cidr.parse("1.2.128.8/29"), Duration.ofSeconds(30));
    IpAddress first = pool.allocate(0).orElseThrow();
    pool.release(first, 0);
    assertThat(pool.take(first)).isTrue();
    assertThat(pool.take(first)).isFalse();
    assertThat(pool.stats()).isEqualTo(new PodAddressPool.Stats(4, 1, 0));
    assertThat(pool.release(first, 1)).isTrue();
  }
}
