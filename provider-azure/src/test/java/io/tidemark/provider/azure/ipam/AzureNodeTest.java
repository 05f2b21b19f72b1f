package io.tidemark.provider.azure.ipam;

import static io.tidemark.provider.azure.ipam.Landscape.configuration;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Target;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node on Azure (provider-azure 13.5)")
class AzureNodeTest {
  private static final Map<String, String> TAGS = Map.of("use", "egress");

  private AzureWorld world = new AzureWorld(ModelOptions.of(1));

  @EachForm
  @DisplayName("AZ-B5 an interface without secondary addresses leaves room for 255")
  void capacity(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    assertThat(node.known().statistics().capacityIpv4()).isEqualTo(255);
    assertThat(node.known().statistics().emptySlots()).isZero();
    assertThat(node.node.maximumAllocatableIpv4()).hasValue(255);
    assertThat(node.node.minimumAllocatableIpv4()).isEqualTo(8);
    assertThat(node.node.prepareIpAllocation().ipv4().roomOnInterface()).isEqualTo(255);
  }

  @EachForm
  @DisplayName("Z6 what Azure cannot do is refused, and nothing is sent")
  void unsupported(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    AllocationAction plan = node.node.prepareIpAllocation();
    assertThat(world.await(node.node.createInterface(plan, world.context())))
        .isInstanceOf(AllocationOutcome.Refused.class);
    assertThat(world.writes()).isZero();
    assertThat(node.node.prepareCidrRelease(Set.of(Cidr.parse("10.0.0.0/24")))).isEmpty();
    assertThat(node.azure.describedInterfaces(world.resource(form.machine))).isEqualTo(Map.of());
  }

  private Optional<IpAddress> bind(OneNode node, Map<String, String> tags) {
    return bind(node, tags, Duration.ofMinutes(5));
  }

  private Optional<IpAddress> bind(OneNode node, Map<String, String> tags, Duration within) {
    return world.await(node.node.allocateStaticAddress(tags, world.context(within)))
            instanceof AllocationOutcome.Allocated allocated
        ? allocated.staticAddress()
        : Optional.empty();
  }

  @EachForm
  @DisplayName(
      "Z32 a public address of the tags is bound to the primary interface, and found by the next"
          + " operator")
  void publicAddress(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    assertThat(bind(node, Map.of("use", "other"))).isEmpty();
    assertThat(node.known().statistics().staticAddress()).isEmpty();
    Optional<IpAddress> given = bind(node, TAGS);
    assertThat(given).isPresent();
    assertThat(node.known().statistics().staticAddress()).isEqualTo(given);
    node.added(4);
    node.sync();
    assertThat(node.known().statistics().staticAddress()).isEqualTo(given);
    int writes = world.writes();
    assertThat(bind(OneNode.on(world, form.machine), TAGS)).isEqualTo(given);
    assertThat(world.writes()).isEqualTo(writes);
  }

  @Test
  @DisplayName("Z32 of several interfaces the machine's primary one gets the public address")
  void publicAddressOfPrimary() {
    new Landscape(world)
        .addInterface("a-second", Form.MACHINE.machine, configuration("primary", "nodes"));
    OneNode node = OneNode.on(world, Form.MACHINE.machine);
    assertThat(node.known().interfaces()).hasSize(2);
    assertThat(bind(node, TAGS)).isPresent();
    Target second = new Target(ResourceId.of(Landscape.nic("a-second")), "a-second", 1);
    assertThat(world.seen(Form.MACHINE.target).configurations().get(0).pinned()).isTrue();
    assertThat(world.seen(second).configurations().get(0).pinned()).isFalse();
  }

  @EachForm
  @DisplayName(
      "Z20 an operation that outlasts the attempt is not doubled, and its address is found")
  void publicAddressOutlasts(Form form) {
    world = AzureWorld.lasting(Duration.ofMinutes(3));
    OneNode node = OneNode.on(world, form.machine);
    assertThat(bind(node, TAGS, Duration.ofMinutes(1))).isEmpty();
    Optional<IpAddress> given = Optional.empty();
    for (int i = 0; i < 5 && given.isEmpty(); i++) {
      world.pass(Duration.ofMinutes(3));
      node.sync();
      given = bind(node, TAGS);
    }
    assertThat(given).isPresent();
    assertThat(world.writes()).isEqualTo(1);
  }
}
