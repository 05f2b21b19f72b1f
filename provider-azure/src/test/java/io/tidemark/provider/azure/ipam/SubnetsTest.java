package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.provider.azure.network.ArmSamples;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Subnets and what is free in them (Z39)")
class SubnetsTest {
  private static final String USAGES = "VirtualNetworks.ListUsage";
  private static final String SUBNET = "Subnets.Get";

  private AzureWorld world = new AzureWorld(ModelOptions.of(1));
  private Landscape land = new Landscape(world);
  private AzureAllocation azure = world.allocation();

  private OneNode on(String machine) {
    return OneNode.on(world, azure, machine);
  }

  private static PoolId pool(String name) {
    return new PoolId(Landscape.subnet(name));
  }

  private int free(String name) {
    return left(Landscape.subnet(name));
  }

  private int left(String subnet) {
    return Objects.requireNonNull(azure.poolQuota().get(new PoolId(subnet))).availableIps();
  }

  private void deny(String operation) {
    world.azure.faults(
        ArmFault.every(operation, ArmFault.Kind.FAIL)
            .withError(ArmError.of(403, "AuthorizationFailed", "usages/read")));
  }

  @Test
  @DisplayName("AZ-B18 subnets that an instance is in are known, others of the network never")
  void onlyUsed() {
    for (int i = 1; i <= 3; i++) {
      land.addSubnet("s" + i, "10.1." + i + ".0/24");
    }
    on(land.addMachine("vm-1", "s1"));
    assertThat(azure.poolQuota().keySet()).containsExactly(pool("s1"));
    on(land.addMachine("vm-3", "s3"));
    assertThat(azure.poolQuota().keySet()).containsExactly(pool("s1"), pool("s3"));
    world.await(azure.resync(world.context()));
    assertThat(azure.poolQuota().keySet()).containsExactly(pool("s1"), pool("s3"));
    azure.deleteInstance(world.id(Landscape.machine("vm-3")));
    world.await(azure.resync(world.context()));
    assertThat(azure.poolQuota().keySet()).as("nobody is in s3").containsExactly(pool("s1"));
  }

  @Test
  @DisplayName("AZ-B19 AZ-N20 F10 a read of one instance keeps the subnets of another")
  void keepsOthers() {
    land.addSubnet("s1", "10.1.1.0/24");
    land.addSubnet("s3", "10.1.3.0/24");
    OneNode first = on(land.addMachine("vm-1", "s1"));
    on(land.addMachine("vm-2", "s3"));
    first.sync();
    assertThat(azure.poolQuota().keySet()).containsExactly(pool("s1"), pool("s3"));
  }

  @Test
  @DisplayName("AZ-B20 a hundred instances in two subnets: two reads of subnets, one of usages")
  void hundred() {
    land.addSubnet("s1", "10.1.0.0/22");
    land.addSubnet("s3", "10.1.4.0/22");
    land.addSet("a", "s1", "eth0");
    land.addSet("b", "s3", "eth0");
    List<OneNode> nodes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String machine = land.addInstance(i % 2 == 0 ? "a" : "b", i);
      nodes.add(OneNode.unread(world, azure, world.resource(machine), false));
    }
    world.await(azure.resync(world.context()));
    assertThat(azure.poolQuota().keySet()).containsExactly(pool("s1"), pool("s3"));
    assertThat(nodes).allMatch(each -> each.blocked().isEmpty());
    assertThat(world.asked(SUBNET)).isEqualTo(2);
    assertThat(world.asked(USAGES)).isEqualTo(1);
    assertThat(free("s1")).isEqualTo(1019 - 50);
  }

  @Test
  @DisplayName("AZ-N8 a subnet with prefixes alone, IPv6 first, counts all of IPv4")
  void prefixes() {
    land.addSubnet("dual", "fd00:1::/64", "10.3.0.0/25", "10.4.0.0/24");
    deny(USAGES);
    OneNode node = on(land.addMachine("vm-1", "dual"));
    assertThat(free("dual")).isEqualTo(123 + 251 - 1);
    assertThat(node.added(3).size()).isEqualTo(3);
    Cidr cidr = node.shown().get(0).cidr().orElseThrow();
    assertThat(cidr.contains(node.shown().get(0).ip().orElseThrow())).isTrue();
    assertThat(node.shown().get(0).gateway()).contains(cidr.address(1));
    assertThat(world.reported).contains(AzureError.SUBNET_OF_SEVERAL_PREFIXES);
  }

  @Test
  @DisplayName("AZ-N20 F7 a subnet of IPv6 alone has no address to give and no gateway")
  void onlyIpv6() {
    land.addSubnet("six", "fd00:2::/64", "10.3.0.0/28");
    deny(USAGES);
    world.way.rewriting(body -> body.replace("\"10.3.0.0/28\"", "\"fd00:3::/64\""));
    OneNode node = on(land.addMachine("vm-1", "six"));
    assertThat(free("six")).isZero();
    assertThat(node.shown().get(0).gateway()).isEmpty();
    assertThat(node.shown().get(0).cidr()).isEmpty();
    assertThat(node.blocked()).contains(BlockedReason.SUBNET_EXHAUSTED);
  }

  @Test
  @DisplayName(
      "AZ-N20 F3 a subnet whose list Azure leaves out has an unknown count, not 0, not full")
  void unknownCount() {
    land.addSubnet("busy", 200, true, "10.5.0.0/24");
    deny(USAGES);
    OneNode node = on(land.addMachine("vm-1", "busy"));
    assertThat(node.blocked()).isEmpty();
    assertThat(node.added(8).size()).isEqualTo(8);
    assertThat(node.allocate(100)).isEqualTo(new AllocationOutcome.PoolExhausted(pool("busy")));
    assertThat(node.blocked()).contains(BlockedReason.SUBNET_EXHAUSTED);
    assertThat(world.reported).contains(AzureError.USAGES_NOT_PERMITTED);
  }

  @ParameterizedTest
  @CsvSource({"400, InvalidParameter", "401, InvalidAuthenticationToken"})
  @DisplayName("Z39 usages that are refused for another reason than a role are asked for again")
  void refusedOtherwise(int status, String code) {
    land.addSubnet("s1", "10.1.1.0/24");
    world.azure.faults(ArmFault.refusing(USAGES, status, code).window(0, 2));

    on(land.addMachine("vm-1", "s1"));
    assertThat(world.reported).isEmpty();
    int asked = world.asked(USAGES);
    world.pass(Duration.ofMinutes(5));
    world.await(azure.resync(world.context()));
    assertThat(world.asked(USAGES)).isEqualTo(asked + 1);
    assertThat(free("s1")).isEqualTo(250);
  }

  @Test
  @DisplayName("AZ-N20 F17 what is free is less the five, and never negative")
  void neverNegative() {
    land.addSubnet("tiny", 9, false, "10.6.0.0/28");
    azure = world.allocation(AzureSettingsSample.of("azure-subnet-reserve", "20"));
    OneNode node = on(land.addMachine("vm-1", "tiny"));
    assertThat(free("tiny")).isZero();
    assertThat(node.blocked()).isPresent();
    azure = world.allocation();
    on(Landscape.machine("vm-1"));
    assertThat(free("tiny")).isEqualTo(16 - 5 - 9 - 1);
  }

  @Test
  @DisplayName("Z39 a usage below zero says nothing; a count that fails leaves the one before")
  void gatewaySubnets() {
    land.addSubnet("gw", "10.7.0.0/24");
    world.way.rewriting(body -> body.replaceAll("\"currentValue\":[0-9-]+", "\"currentValue\":-1"));
    on(land.addMachine("vm-1", "gw"));
    assertThat(free("gw")).as("from the subnet itself").isEqualTo(251 - 1);
  }

  @Test
  @DisplayName("Z39 an old count of a subnet is not taken for a new one when usages fail")
  void staleCount() {
    land.addSubnet("s1", "10.1.1.0/24");
    OneNode node = on(land.addMachine("vm-1", "s1"));
    assertThat(free("s1")).isEqualTo(250);
    node.added(100);
    assertThat(free("s1")).isEqualTo(150);
    world.azure.faults(ArmFault.every(USAGES, ArmFault.Kind.FAIL));
    world.pass(Duration.ofMinutes(6));
    world.await(azure.resync(world.context()));
    world.pass(Duration.ofMinutes(1));
    assertThat(world.asked(USAGES)).isGreaterThan(1);
    assertThat(free("s1")).isEqualTo(150);
  }

  @Test
  @DisplayName("Z39 own writes count at once; others' with the next count, a minute later at most")
  void counts() {
    land.addSubnet("s1", "10.1.1.0/24");
    OneNode node = on(land.addMachine("vm-1", "s1"));
    node.added(10);
    assertThat(free("s1")).isEqualTo(240);
    assertThat(world.asked(USAGES)).isEqualTo(1);
    land.addMachine("other", "s1");
    assertThat(free("s1")).isEqualTo(240);
    world.pass(Duration.ofSeconds(60));
    node.added(1);
    assertThat(world.asked(USAGES)).isEqualTo(2);
    assertThat(free("s1")).isEqualTo(251 - 1 - 11 - 1);
  }

  @Test
  @DisplayName(
      "AZ-N20 F7 a subnet that cannot be read costs the node its gateway, not its addresses")
  void unreadable() {
    land.addSubnet("s1", "10.1.1.0/24");
    world.azure.faults(
        Stream.of(USAGES, SUBNET)
            .map(each -> ArmFault.refusing(each, 403, "AuthorizationFailed"))
            .toArray(ArmFault[]::new));
    OneNode node =
        OneNode.unread(world, azure, world.resource(land.addMachine("vm-1", "s1")), false);
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.added(2).size()).isEqualTo(2);
    assertThat(node.shown().get(0).gateway()).isEmpty();
  }

  @Test
  @DisplayName("Z39 a count of one network neither reads nor counts the subnets of another")
  void otherNetwork() {
    String network = Landscape.NETWORK.replace("cluster", "second");
    String subnet = network + "/subnets/other";
    world.azure.change(owner -> owner.addNetwork(network, "westeurope"));
    world.azure.change(
        owner -> owner.addSubnet(subnet, List.of(Cidr.parse("10.9.0.0/24")), false, 0));
    land.addSubnet("s1", "10.1.1.0/24");
    OneNode node = on(land.addMachine("vm-1", "s1"));
    world.azure.change(
        owner -> owner.addMachine(Landscape.machine("vm-2"), "westeurope", Optional.empty()));
    world.azure.change(
        owner ->
            owner.addInterface(
                Landscape.nic("vm-2-eth0"),
                Landscape.machine("vm-2"),
                List.of(ArmSamples.primary(subnet)),
                Document.EMPTY));
    on(Landscape.machine("vm-2"));
    assertThat(left(subnet)).isEqualTo(250);
    int read = world.asked(SUBNET);
    world.pass(Duration.ofSeconds(61));
    node.added(1);
    assertThat(world.asked(SUBNET)).isEqualTo(read);
  }

  @Test
  @DisplayName("Z39 a subnet whose id names no virtual network is offered, and Azure decides")
  void oddId() {
    String machine = land.addMachine("vm-1", "nodes");
    world.way.rewriting(body -> body.replace("/virtualNetworks/cluster/", "/fabrics/cluster/"));
    OneNode node = on(machine);
    assertThat(left(Landscape.subnet("nodes").replace("/virtualNetworks/", "/fabrics/")))
        .isEqualTo(65_536);
    assertThat(node.blocked()).isEmpty();
  }

  @Test
  @DisplayName("Z39 a usage far above its limit leaves nothing free")
  void farAboveLimit() {
    land.addSubnet("s1", "10.1.1.0/24");
    world.way.rewriting(
        body -> body.replaceAll("\"currentValue\":[0-9]+", "\"currentValue\":4294967200"));
    OneNode node = on(land.addMachine("vm-1", "s1"));
    assertThat(free("s1")).isZero();
    assertThat(node.blocked()).isPresent();
  }
}
