package io.tidemark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Metric;
import io.tidemark.metrics.TestMeters;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What metrics and upstream hear of requests")
class ReportsTest {
  private final TestNode node = TestNode.hostScope("10.0.0.0/30", "f00d::/126");

  @Test
  @DisplayName("Each request counts by its ending, and by its family")
  void attempts() {
    node.take("10.0.0.1", "a");
    node.next(IpFamily.IPV4, "b");
    node.refusedNext();
    node.refused("10.0.0.1");
    node.next(IpFamily.IPV6, "c");
    assertThat(node.events("allocate", "ipv4")).isEqualTo(2);
    assertThat(node.denials("exhausted", "ipv4")).isEqualTo(1);
    assertThat(node.denials("error", "ipv4")).isEqualTo(1);
    assertThat(node.events("allocate", "ipv6")).isEqualTo(1);
  }

  @Test
  @DisplayName("Releasing an owner's addresses counts each, ends their leases and is published")
  void releaseAll() {
    node.take("10.0.0.1", "a");
    node.take("f00d::1", "a");
    Lease lease = node.lease("f00d::1", Duration.ofMinutes(1));
    node.published.clear();
    assertThat(node.ipam.releaseAll("b")).isZero();
    assertThat(node.published).isEmpty();
    assertThat(node.ipam.releaseAll("a")).isEqualTo(2);
    assertThat(node.events("release", "ipv4")).isEqualTo(1);
    assertThat(node.events("release", "ipv6")).isEqualTo(1);
    assertThat(node.published).contains("changed");
    assertThat(node.ipam.stopLease(lease)).isPresent();
    assertThat(node.time.pending()).isZero();
  }

  @Test
  @DisplayName("An address that is restored counts as allocated, and is not published by itself")
  void restored() {
    TestNode.granted(node.ipam.restore(IpAddress.parse("10.0.0.1"), "a", TestNode.DEFAULT));
    assertThat(node.events("allocate", "ipv4")).isEqualTo(1);
    assertThat(node.published).isEmpty();
  }

  @Test
  @DisplayName("A request for an address of a family that is not served counts as an error")
  void notServed() {
    TestNode ipv4 = TestNode.hostScope("10.0.0.0/30");
    TestNode.denied(ipv4.ipam.allocateNext(IpFamily.IPV6, "a", TestNode.DEFAULT, UpstreamSync.NOW));
    assertThat(ipv4.denials("error", "ipv6")).isEqualTo(1);
    assertThat(ipv4.published).isEmpty();
  }

  @Test
  @DisplayName("Each family has the sums of its pools now, and each pool its own numbers")
  void pools() {
    TestMeters measured = new TestMeters();
    Reports meters = new Reports(measured.meters, Upstream.NONE);
    AtomicReference<AddressCounts> blue = new AtomicReference<>(new AddressCounts(4, 3, 2, 1));
    meters.pool(IpFamily.IPV4, TestNode.DEFAULT, () -> new AddressCounts(100, 0, 0, 0));
    meters.pool(IpFamily.IPV4, new PoolName("blue"), blue::get);
    meters.pool(IpFamily.IPV6, TestNode.DEFAULT, () -> new AddressCounts(0, 7, 0, 0));
    assertThat(measured.all(Metric.AGENT_CAPACITY)).isEqualTo(Map.of("ipv4", 109.0, "ipv6", 7.0));
    assertThat(measured.all(Metric.AGENT_AVAILABLE)).isEqualTo(Map.of("ipv4", 104.0, "ipv6", 0.0));
    assertThat(measured.all(Metric.AGENT_USED)).isEqualTo(Map.of("ipv4", 5.0, "ipv6", 7.0));
    assertThat(measured.all(Metric.AGENT_COOLING))
        .isEqualTo(Map.of("default ipv4", 0.0, "blue ipv4", 2.0, "default ipv6", 0.0));
    assertThat(measured.all(Metric.AGENT_EXCLUDED))
        .isEqualTo(Map.of("default ipv4", 0.0, "blue ipv4", 1.0, "default ipv6", 0.0));
    blue.set(new AddressCounts(9, 0, 0, 0));
    assertThat(measured.value(Metric.AGENT_AVAILABLE, "ipv4")).isEqualTo(109);
  }
}
