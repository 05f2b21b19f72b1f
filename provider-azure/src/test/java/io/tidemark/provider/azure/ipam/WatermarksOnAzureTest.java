package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.Metric;
import io.tidemark.node.ClusterStatistics;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeManagerConfig;
import io.tidemark.resource.IpamSpec;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PoolQuota;
import io.tidemark.spi.contract.ContractWorld;
import io.tidemark.spi.contract.NodeShape;
import java.time.Duration;
import java.util.Collection;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The reference's scenarios for nodes on Azure, through the engine (8.2, 13.9)")
class WatermarksOnAzureTest {
  private static final NodeShape ANY = NodeShape.of(1, 255);

  private static ContractWorld world(boolean uniform) {
    return new ContractWorld(
        time -> new AzureContractCloud(time, uniform, ModelOptions.builder(7)));
  }

  private static ContractWorld oneNode(boolean uniform, IpamSpec ipam) {
    ContractWorld world = world(uniform);
    world.cloud.subnet("subnet-1", Cidr.parse("1.1.0.0/16"));
    world.launch("node1", ANY, "subnet-1");
    world.start(NodeManagerConfig.defaults());
    world.create(world.resource("node1", ipam));
    world.act();
    return world;
  }

  private static Collection<PoolQuota> quota(ContractWorld world) {
    return world.provider.poolQuota().values();
  }

  @ParameterizedTest(name = "uniform: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName(
      "AZ-B4 a node may be asked for 255 addresses, and for 256 in the reference's profile")
  void maximum(boolean uniform) {
    ContractWorld world = world(uniform);
    world.cloud.subnet("subnet-1", Cidr.parse("1.1.0.0/16"));
    world.launch("node1", ANY, "subnet-1");
    for (boolean reference : new boolean[] {false, true}) {
      NodeOperations node =
          world.node(
              world.resource("node1", IpamSpec.of(8, 0, 0, 0)),
              new NodeSettings("node1", false, true, reference));
      assertThat(node.maximumAllocatableIpv4()).hasValue(reference ? 256 : 255);
      assertThat(((Inventory.Known) node.inventory()).statistics().capacityIpv4()).isEqualTo(255);
    }
  }

  @ParameterizedTest(name = "uniform: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("AZ-B6 pre-allocate 8: 8/0 and a write of the status, then 15/7 and another one")
  void preAllocate(boolean uniform) {
    ContractWorld world = oneNode(uniform, IpamSpec.of(8, 0, 0, 0));
    assertThat(world.availableUsed("node1")).isEqualTo("8/0");
    assertThat(world.report("node1").needed()).isZero();
    String first = world.server.find("node1").orElseThrow().resourceVersion();
    world.use("node1", 7);
    String used = world.server.find("node1").orElseThrow().resourceVersion();
    assertThat(used).isNotEqualTo(first);
    world.act();
    assertThat(world.availableUsed("node1")).isEqualTo("15/7");
    assertThat(world.report("node1").needed()).isZero();
    assertThat(world.server.find("node1").orElseThrow().resourceVersion()).isNotEqualTo(used);
  }

  @ParameterizedTest(name = "uniform: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("AZ-B7 min-allocate 10: 10, then 15/7, and the subnet has 65,515 addresses left")
  void minAllocate(boolean uniform) {
    ContractWorld world = oneNode(uniform, IpamSpec.of(8, 10, 0, 0));
    assertThat(world.availableUsed("node1")).isEqualTo("10/0");
    world.use("node1", 7);
    world.act();
    assertThat(world.availableUsed("node1")).isEqualTo("15/7");
    assertThat(quota(world))
        .singleElement()
        .satisfies(pool -> assertThat(pool.availableIps()).isEqualTo(65_531 - 1 - 15));
    world.run(Duration.ofMinutes(2));
    assertThat(quota(world))
        .as("as Azure counts")
        .singleElement()
        .satisfies(pool -> assertThat(pool.availableIps()).isEqualTo(65_515));
  }

  @ParameterizedTest(name = "uniform: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("AZ-B8 a hundred nodes of ten addresses each in three subnets, and two of one")
  void manyNodes(boolean uniform) {
    manyNodes(uniform, 100, 10);
    manyNodes(uniform, 2, 1);
  }

  private static void manyNodes(boolean uniform, int count, int min) {
    ContractWorld world = world(uniform);
    int subnets = Math.min(3, count);
    for (int i = 0; i < subnets; i++) {
      world.cloud.subnet("subnet-" + i, Cidr.parse("10." + i + ".0.0/16"));
    }
    for (int i = 0; i < count; i++) {
      world.launch("node" + i, ANY, "subnet-" + i % subnets);
    }
    NodeManager manager = world.start(NodeManagerConfig.defaults());
    for (int i = 0; i < count; i++) {
      world.create(world.resource("node" + i, IpamSpec.of(1, min, 0, 0)));
    }
    world.act();
    for (int i = 0; i < count; i++) {
      assertThat(world.availableUsed("node" + i)).isEqualTo(min + "/0");
      assertThat(world.report("node" + i).needed()).isZero();
      assertThat(world.trulyAttached("node" + i)).isEqualTo(min);
    }
    world.run(Duration.ofMinutes(2));
    ClusterStatistics sums = manager.statistics();
    assertThat(sums)
        .isEqualTo(new ClusterStatistics(0, count * (long) min, 0, count, count, 0, count, 0, 0));
    assertThat(world.metrics.value(Metric.IPS, "available")).isEqualTo(count * min);
    assertThat(world.metrics.value(Metric.IPS, "used")).isZero();
    assertThat(world.metrics.value(Metric.IPS, "needed")).isZero();
    assertThat(world.metrics.value(Metric.AVAILABLE_INTERFACES)).isEqualTo(count);
    assertThat(world.metrics.value(Metric.NODES, "total")).isEqualTo(count);
    assertThat(world.metrics.value(Metric.NODES, "in-deficit")).isZero();
    assertThat(world.metrics.value(Metric.NODES, "at-capacity")).isZero();
    assertThat(world.metrics.value(Metric.RESYNC_TOTAL)).isPositive();
    assertThat(quota(world))
        .as("every subnet is used")
        .hasSize(subnets)
        .allSatisfy(pool -> assertThat(pool.availableIps()).isLessThan(65_531));
    assertThat(quota(world).stream().mapToInt(PoolQuota::availableIps).sum())
        .isEqualTo(subnets * 65_531 - count * (1 + min));
  }
}
