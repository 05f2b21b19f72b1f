package io.tidemark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Metric;
import io.tidemark.metrics.TestMeters;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The meters of pools")
class AllocatorMetersTest {
  private final TestMeters measured = new TestMeters();
  private final AllocatorMeters meters = new AllocatorMeters(measured.meters);

  @Test
  @DisplayName("Each family has the sums of its pools now, and each pool its own numbers")
  void pools() {
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

  @Test
  @DisplayName("Allocations, releases and denials add up, each family and outcome for itself")
  void events() {
    TestNode node = TestNode.hostScope("10.0.0.0/30", "f00d::/126");
    meters.allocated(IpFamily.IPV4, node.take("10.0.0.1", "a"));
    meters.released(IpFamily.IPV4, 2);
    meters.released(IpFamily.IPV4, 1);
    meters.denied(IpFamily.IPV4, true);
    meters.denied(IpFamily.IPV6, false);
    assertThat(measured.all(Metric.AGENT_EVENTS))
        .isEqualTo(Map.of("allocate ipv4", 1.0, "release ipv4", 3.0));
    assertThat(measured.all(Metric.AGENT_ATTEMPTS))
        .isEqualTo(Map.of("ipv4 success", 1.0, "ipv4 exhausted", 1.0, "ipv6 error", 1.0));
    assertThat(measured.all(Metric.AGENT_REUSE_DISTANCE)).as("nothing was released").isEmpty();
  }
}
