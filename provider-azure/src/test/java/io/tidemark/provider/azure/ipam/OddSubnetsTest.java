package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Subnets of several networks, with odd ids and odd numbers (Z39)")
class OddSubnetsTest {
  private static final String SUBNET = "Subnets.Get";
  private static final int UNKNOWN = 65_536;

  private final AzureWorld world = new AzureWorld(ModelOptions.of(1));
  private final Landscape land = new Landscape(world);
  private final AzureAllocation azure = world.allocation();

  private OneNode on(String machine) {
    return OneNode.on(world, azure, machine);
  }

  private void pass(Duration span) {
    world.time.runUntil(world.time.nanos() + span.toNanos());
  }

  private int free(String subnet) {
    return Objects.requireNonNull(azure.poolQuota().get(new PoolId(subnet))).availableIps();
  }

  @Test
  @DisplayName("a count of one network neither reads nor counts the subnets of another")
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
                List.of(inSubnet(subnet)),
                Document.EMPTY));
    on(Landscape.machine("vm-2"));
    assertThat(free(subnet)).isEqualTo(250);
    int read = world.asked(SUBNET);
    pass(Duration.ofSeconds(61));
    node.added(1);
    assertThat(world.asked(SUBNET)).isEqualTo(read);
  }

  private static Document inSubnet(String subnet) {
    return Document.of("name", "primary")
        .with(
            "properties", Document.of("subnet", Document.reference(subnet)).with("primary", true));
  }

  @Test
  @DisplayName("a subnet whose id names no virtual network is offered, and Azure decides")
  void oddId() {
    String machine = land.addMachine("vm-1", "nodes");
    world.way.rewriting(body -> body.replace("/virtualNetworks/cluster/", "/fabrics/cluster/"));
    OneNode node = on(machine);
    assertThat(free(Landscape.subnet("nodes").replace("/virtualNetworks/", "/fabrics/")))
        .isEqualTo(UNKNOWN);
    assertThat(node.node.prepareIpAllocation().blocked()).isEmpty();
  }

  @Test
  @DisplayName("a usage far above its limit leaves nothing free")
  void farAboveLimit() {
    land.addSubnet("s1", "10.1.1.0/24");
    world.way.rewriting(
        body -> body.replaceAll("\"currentValue\":[0-9]+", "\"currentValue\":4294967200"));
    OneNode node = on(land.addMachine("vm-1", "s1"));
    assertThat(free(Landscape.subnet("s1"))).isZero();
    assertThat(node.node.prepareIpAllocation().blocked()).isPresent();
  }
}
