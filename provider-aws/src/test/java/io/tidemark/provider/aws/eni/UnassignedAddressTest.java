package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Metric;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeReport;
import io.tidemark.node.NodeState;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Somebody unassigns an address that a pod uses")
class UnassignedAddressTest {
  private static final Duration OVERLAY_IS_OVER = Duration.ofMinutes(5);

  private final EniWorld world = new EniWorld();
  private final String subnet = world.home();
  private final NodeManager manager = world.start(EngineConfig.defaults());
  private IpAddress lost = IpAddress.parse("10.0.0.1");

  @BeforeEach
  void filled() {
    world.launch("node1", "m5.large", subnet);
    world.create(world.resource("node1", world.spec().build(), IpamSpec.of(4, 0, 0, 0)));
    world.run(EniWorld.WHILE);
    world.use("node1", 2);
    world.run(OVERLAY_IS_OVER);
    lost = object().used().at(0);
    assertThat(object().pool().contains(lost)).isTrue();
  }

  /** Somebody takes the address away and gives it to another machine; a scan shows it. */
  private void taken() {
    world.ec2.unassign(world.instance("node1"), lost);
    world.ec2.occupy(subnet, List.of(lost.toString()));
    manager.resync();
    world.run(EniWorld.WHILE);
  }

  private NodeResource object() {
    return world.server.find("node1").orElseThrow();
  }

  @Test
  @DisplayName(
      "NM-S7 NM-S8 it goes once a later read confirms it, and is reported until its pod ends")
  void confirmed() {
    taken();
    assertThat(object().pool().contains(lost)).isTrue();
    assertThat(world.report("node1").blocked()).isEmpty();
    assertThat(world.report("node1").settled()).isFalse();

    world.run(Duration.ofSeconds(70));
    assertThat(object().pool().contains(lost)).isFalse();
    NodeReport report = world.report("node1");
    Blocked why = report.blocked().orElseThrow();
    assertThat(why.reason()).isEqualTo(BlockedReason.USED_ADDRESS_GONE);
    assertThat(why.detail()).contains("ns/pod-0 (" + lost + ")");
    assertThat(world.metrics.value(Metric.USED_IPS_GONE, "node1")).isEqualTo(1);
    assertThat(report.state()).isEqualTo(NodeState.OK);
    assertThat(report.available() - report.used()).isGreaterThanOrEqualTo(2);
    assertThat(report.settled()).isTrue();
    world.use("node1", 1);
    assertThat(object().used()).isNotEqualTo(AddressSet.of(lost));
    assertThat(world.report("node1").blocked()).isEmpty();
    assertThat(world.metrics.value(Metric.USED_IPS_GONE, "node1")).isNaN();
  }
}
