package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.AuditLog;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.Metric;
import io.tidemark.node.ClusterStatistics;
import io.tidemark.node.NodeManager;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.IpamSpec;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PoolQuota;
import io.tidemark.spi.contract.ContractWorld;
import io.tidemark.spi.contract.NodeShape;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName(
    "Nodes on Azure, through the engine: the reference's scenarios, and faults (8.2, 13.9)")
class NodesOnAzureTest {
  private static final NodeShape ANY = NodeShape.of(1, 255);

  private static ContractWorld world(boolean uniform, ModelOptions.Builder options) {
    return new ContractWorld(time -> new AzureContractCloud(time, uniform, options));
  }

  private static ContractWorld world(boolean uniform) {
    return world(uniform, ModelOptions.builder(7));
  }

  private static ContractWorld oneNode(boolean uniform, ModelOptions.Builder options) {
    ContractWorld world = world(uniform, options);
    world.cloud.subnet("subnet-1", Cidr.parse("1.1.0.0/16"));
    world.launch("node1", ANY, "subnet-1");
    world.start(EngineConfig.defaults());
    return world;
  }

  private static ContractWorld oneNode(boolean uniform, IpamSpec ipam) {
    ContractWorld world = oneNode(uniform, ModelOptions.builder(7));
    create(world, "node1", ipam);
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
    NodeManager manager = world.start(EngineConfig.defaults());
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

  private static void create(ContractWorld world, String node, IpamSpec ipam) {
    world.create(world.resource(node, ipam));
  }

  private static ArmEmulator azure(ContractWorld world) {
    return ((AzureContractCloud) world.cloud).azure();
  }

  private static long writes(ContractWorld world) {
    return world.cloud.changes().values().stream().mapToLong(Long::longValue).sum();
  }

  private static List<AuditLog.Entry> audit(ContractWorld world) {
    return azure(world).handler().use(model -> model.audit().entries());
  }

  @ParameterizedTest(name = "uniform: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("AZ-N6 a missing role is reported, and tried at most 13 times in the first hour")
  void missingRole(boolean uniform) {
    ContractWorld world = oneNode(uniform, ModelOptions.builder(11));
    ArmError refused =
        ArmError.of(
            403,
            "LinkedAuthorizationFailed",
            "The client has no permission to perform action"
                + " 'Microsoft.Network/virtualNetworks/subnets/join/action' on the linked scope.");
    azure(world)
        .faults(
            world.cloud.changingOperations().stream()
                .map(each -> ArmFault.every(each, ArmFault.Kind.FAIL).withError(refused))
                .toArray(ArmFault[]::new));
    create(world, "node1", IpamSpec.of(8, 0, 0, 0));
    world.act();
    assertThat(world.report("node1").blocked().orElseThrow().toString())
        .contains("subnets/join/action");
    world.run(Duration.ofHours(1));
    assertThat(writes(world)).isBetween(2L, 13L);
    azure(world).faults();
    world.run(Duration.ofMinutes(6));
    assertThat(world.availableUsed("node1")).isEqualTo("8/0");
  }

  @ParameterizedTest(name = "uniform: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("AZ-N11 twenty nodes and ten free addresses: ten are given, and nobody keeps asking")
  void tenForTwenty(boolean uniform) {
    ContractWorld world = world(uniform, ModelOptions.builder(12));
    world.start(EngineConfig.defaults());
    world.cloud.subnet("subnet-a", Cidr.parse("10.0.0.0/24"));
    for (int i = 0; i < 20; i++) {
      world.launch("node" + i, ANY, "subnet-a");
    }
    world.cloud.leaveFree("subnet-a", 10);
    for (int i = 0; i < 20; i++) {
      create(world, "node" + i, IpamSpec.of(1, 1, 0, 0));
    }
    world.run(Duration.ofMinutes(10));
    assertThat(IntStream.range(0, 20).map(i -> world.trulyAttached("node" + i)).sum())
        .isEqualTo(10);
    assertThat(
            IntStream.range(0, 20)
                .mapToObj(i -> world.report("node" + i))
                .filter(each -> each.needed() > 0)
                .map(each -> each.blocked().orElseThrow().reason()))
        .hasSize(10)
        .containsOnly(BlockedReason.SUBNET_EXHAUSTED);
    long after = writes(world);
    assertThat(after).isLessThanOrEqualTo(30);
    world.run(Duration.ofMinutes(10));
    assertThat(writes(world)).as("the count has not changed").isEqualTo(after);
  }

  @Test
  @DisplayName("AZ-N29 one instance that grows all the time is written four times a minute at most")
  void paced() {
    ContractWorld world = oneNode(true, ModelOptions.builder(13).throttling(true));
    create(world, "node1", IpamSpec.of(4, 0, 0, 0));
    for (int used = 0; used < 120; used += 2) {
      world.use("node1", used);
      world.run(Duration.ofSeconds(5));
    }
    world.run(Duration.ofMinutes(2));
    assertThat(world.availableUsed("node1")).isEqualTo("122/118");
    List<AuditLog.Entry> all = audit(world);
    assertThat(all).as("nothing was refused").noneMatch(each -> each.status() == 429);
    List<AuditLog.Entry> writes =
        all.stream().filter(each -> each.operation().endsWith("Update")).toList();
    assertThat(writes).hasSizeGreaterThan(8);
    for (int i = 4; i < writes.size(); i++) {
      assertThat(Duration.between(writes.get(i - 4).at(), writes.get(i).at()))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(59)); // requests travel
    }
  }
}
