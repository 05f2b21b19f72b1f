package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.AuditLog;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.ip.Cidr;
import io.tidemark.node.NodeManagerConfig;
import io.tidemark.resource.IpamSpec;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.contract.ContractWorld;
import io.tidemark.spi.contract.NodeShape;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What goes wrong with nodes on Azure, through the engine (13.9)")
class FaultsOnAzureTest {
  private static final NodeShape ANY = NodeShape.of(1, 255);

  private static ContractWorld world(boolean uniform, ModelOptions.Builder options) {
    ContractWorld world = new ContractWorld(time -> new AzureContractCloud(time, uniform, options));
    world.start(NodeManagerConfig.defaults());
    return world;
  }

  private static ContractWorld oneNode(boolean uniform) {
    ContractWorld world = world(uniform, ModelOptions.builder(11));
    world.cloud.subnet("subnet-a", Cidr.parse("10.0.0.0/20"));
    world.launch("node1", ANY, "subnet-a");
    return world;
  }

  private static void create(ContractWorld world, String node, IpamSpec ipam) {
    world.create(world.resource(node, ipam));
  }

  private static AzureContractCloud cloud(ContractWorld world) {
    return (AzureContractCloud) world.cloud;
  }

  private static ArmEmulator azure(ContractWorld world) {
    return cloud(world).azure();
  }

  private static long writes(ContractWorld world) {
    return world.cloud.changes().values().stream().mapToLong(Long::longValue).sum();
  }

  private static List<AuditLog.Entry> audit(ContractWorld world) {
    return azure(world).handler().use(model -> model.audit().entries());
  }

  @ParameterizedTest(name = "uniform: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("AZ-N6 a missing role is told, and asked for at most 13 times in the first hour")
  void missingRole(boolean uniform) {
    ContractWorld world = oneNode(uniform);
    azure(world)
        .faults(
            world.cloud.changingOperations().stream()
                .map(
                    each ->
                        ArmFault.every(each, ArmFault.Kind.FAIL)
                            .withError(
                                ArmError.of(
                                    403,
                                    "LinkedAuthorizationFailed",
                                    "The client has no permission to perform action"
                                        + " 'Microsoft.Network/virtualNetworks/subnets/join/action'"
                                        + " on the linked scope.")))
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
    ContractWorld world = world(true, ModelOptions.builder(13).throttling(true));
    world.cloud.subnet("subnet-a", Cidr.parse("10.0.0.0/20"));
    world.launch("node1", ANY, "subnet-a");
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
