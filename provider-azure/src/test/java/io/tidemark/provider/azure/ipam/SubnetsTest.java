package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.network.ArmSamples;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

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

  @TestFactory
  Stream<DynamicTest> stories() {
    return AzureStory.all(
        "",
        """
        AZ-B18 subnets that an instance is in are known, others of the network never
          MACHINE: subnet s1 10.1.1.0/24; subnet s2 10.1.2.0/24; subnet s3 10.1.3.0/24;
          machine vm-1 s1; on; pools s1; machine vm-3 s3; on; pools s1 s3; resync; pools s1 s3;
          remove; resync; pools s1
        AZ-B19 AZ-N20 F10 a read of one instance keeps the subnets of another
          MACHINE: subnet s1 10.1.1.0/24; subnet s3 10.1.3.0/24; machine vm-1 s1; first: on;
          machine vm-2 s3; on; first: sync; pools s1 s3
        AZ-N20 F7 a subnet of IPv6 alone has no address to give and no gateway
          MACHINE: subnet six fd00:2::/64 10.3.0.0/28;
          fault fail usages status=403 code=AuthorizationFailed message=usages/read;
          answers "10.3.0.0/28" => "fd00:3::/64"; machine vm-1 six; on; left six 0; noGateway;
          noBlock; blocked SUBNET_EXHAUSTED
        AZ-N20 F7 a subnet that cannot be read costs the node its gateway, not its addresses
          MACHINE: subnet s1 10.1.1.0/24; fault fail usages status=403 code=AuthorizationFailed;
          fault fail Subnets.Get status=403 code=AuthorizationFailed; machine vm-1 s1; unread; sync;
          add 2; noGateway
        AZ-N20 F3 a subnet whose list Azure leaves out has an unknown count, not 0, not full
          MACHINE: busySubnet busy 200 10.5.0.0/24;
          fault fail usages status=403 code=AuthorizationFailed message=usages/read;
          machine vm-1 busy; on; free; add 8; allocate 100 PoolExhausted busy;
          blocked SUBNET_EXHAUSTED; reported USAGES_NOT_PERMITTED
        AZ-N20 F17 what is free is less the five, and never negative
          MACHINE: usedSubnet tiny 9 10.6.0.0/28; settings azure-subnet-reserve 20;
          machine vm-1 tiny; on; left tiny 0; blocked ?; usual; on; left tiny 1
        Z39 usages that are refused for another reason than a role are asked for again
          MACHINE: subnet s1 10.1.1.0/24;
          fault fail usages status=400 code=InvalidParameter times=2; machine vm-1 s1; on;
          reported nothing; mark asked usages; 5m; resync ?; asked usages +1; left s1 250
        Z39 so are those for which there are no credentials
          MACHINE: subnet s1 10.1.1.0/24;
          fault fail usages status=401 code=InvalidAuthenticationToken times=2; machine vm-1 s1; on;
          reported nothing; mark asked usages; 5m; resync ?; asked usages +1; left s1 250
        Z39 a usage below zero says nothing: the subnet itself is counted
          MACHINE: subnet gw 10.7.0.0/24; answers "currentValue":[0-9-]+ => "currentValue":-1;
          machine vm-1 gw; on; left gw 250
        Z39 a usage far above its limit leaves nothing free
          MACHINE: subnet s1 10.1.1.0/24;
          answers "currentValue":[0-9]+ => "currentValue":4294967200; machine vm-1 s1; on;
          left s1 0; blocked ?
        Z39 an old count of a subnet is not taken for a new one when usages fail
          MACHINE: subnet s1 10.1.1.0/24; machine vm-1 s1; on; left s1 250; add 100; left s1 150;
          fault fail usages; 6m; resync ?; 1m; asked usages >1; left s1 150
        Z39 own writes count at once; others' with the next count, a minute later at most
          MACHINE: subnet s1 10.1.1.0/24; machine vm-1 s1; on; add 10; left s1 240; asked usages 1;
          machine other s1; left s1 240; 60s; add 1; asked usages 2; left s1 238\
        """);
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
}
