package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Target;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Capability;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.PoolQuota;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A node on Azure (provider-azure 13.5)")
class AzureNodeTest {
  private final AzureWorld world = new AzureWorld(ModelOptions.of(1));

  private NodeOperations node(AzureAllocation azure, Form form, boolean blocks) {
    NodeOperations node = azure.createNode(world.settings(blocks), world.resource(form.machine));
    assertThat(world.await(azure.instanceSync(world.id(form.machine), world.context())))
        .isInstanceOf(SyncOutcome.Synced.class);
    return node;
  }

  private AllocationOutcome allocate(NodeOperations node, int count) {
    AllocationAction plan = node.prepareIpAllocation();
    assertThat(plan.blocked()).isEmpty();
    return world.await(
        node.allocateIps(
            plan.with(plan.ipv4().wanting(count, OptionalInt.empty()), 0), world.context()));
  }

  private static Inventory.Known known(NodeOperations node) {
    assertThat(node.inventory()).isInstanceOf(Inventory.Known.class);
    return (Inventory.Known) node.inventory();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("AZ-B5 an interface without secondary addresses leaves room for 255")
  void capacity(Form form) {
    NodeOperations node = node(world.allocation(), form, false);
    assertThat(known(node).statistics().capacityIpv4()).isEqualTo(255);
    assertThat(known(node).statistics().emptySlots()).isZero();
    assertThat(node.maximumAllocatableIpv4()).hasValue(255);
    assertThat(node.minimumAllocatableIpv4()).isEqualTo(8);
    assertThat(node.prepareIpAllocation().ipv4().roomOnInterface()).isEqualTo(255);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("F1 a fresh interface gets its first addresses by one write, from its own subnet")
  void firstAddresses(Form form) {
    NodeOperations node = node(world.allocation(), form, false);
    AllocationOutcome outcome = allocate(node, 8);
    assertThat(outcome).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(((AllocationOutcome.Allocated) outcome).addresses()).isEqualTo(8);
    assertThat(world.writes()).isEqualTo(1);
    NodeResource written = node.withProviderStatus(world.resource(form.machine));
    AzureStatus.Interface shown =
        written.azureStatus().orElseThrow().interfaces().values().iterator().next();
    assertThat(shown.addresses()).hasSize(8).allMatch(AzureStatus.Address::usable);
    assertThat(shown.ip()).isPresent();
    assertThat(shown.cidr()).isPresent();
    assertThat(shown.gateway()).contains(shown.cidr().orElseThrow().address(1));
    assertThat(world.added(form.target)).isEqualTo(8);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Z26 surplus addresses are released by one write, and wait before they are free")
  void release(Form form) {
    AzureAllocation azure = world.allocation();
    NodeOperations node = node(azure, form, false);
    allocate(node, 8);
    int free = quota(azure);
    AddressSet all = known(node).interfaces().get(0).singles();
    ReleaseAction action = node.prepareIpRelease(3, all.first(2));
    assertThat(action.addresses()).isEqualTo(all.last(3));
    assertThat(world.await(node.release(action, world.context())))
        .isInstanceOf(ReleaseOutcome.Released.class);
    assertThat(world.added(form.target)).isEqualTo(5);
    assertThat(known(node).interfaces().get(0).singles()).isEqualTo(all.first(5));
    assertThat(quota(azure)).as("in quarantine").isEqualTo(free);
  }

  private static int quota(AzureAllocation azure) {
    return azure.poolQuota().values().stream().mapToInt(PoolQuota::availableIps).sum();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "Z30 a virtual machine gets blocks where they are wanted, an instance of a set singles")
  void blocks(Form form) {
    NodeOperations node = node(world.allocation(), form, true);
    boolean machine = form == Form.MACHINE;
    assertThat(node.isPrefixDelegated()).isEqualTo(machine);
    allocate(node, 20);
    List<Cidr> blocks = known(node).interfaces().get(0).blocks();
    assertThat(blocks).hasSize(machine ? 2 : 0);
    assertThat(known(node).interfaces().get(0).size()).isEqualTo(machine ? 32 : 20);
    assertThat(world.added(form.target)).isEqualTo(machine ? 2 : 20);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Z6 what Azure cannot do is refused, and nothing is sent")
  void unsupported(Form form) {
    AzureAllocation azure = world.allocation();
    NodeOperations node = node(azure, form, false);
    assertThat(azure.capabilities())
        .doesNotContain(Capability.NEW_INTERFACE, Capability.MANY_SUBNETS, Capability.IPV6_PREFIX);
    AllocationAction plan = node.prepareIpAllocation();
    assertThat(world.await(node.createInterface(plan, world.context())))
        .isInstanceOf(AllocationOutcome.Refused.class);
    assertThat(world.writes()).isZero();
    assertThat(node.prepareCidrRelease(Set.of(Cidr.parse("10.0.0.0/24")))).isEmpty();
    assertThat(azure.describedInterfaces(world.resource(form.machine))).isEqualTo(Map.of());
  }

  private Optional<IpAddress> bind(NodeOperations node, Map<String, String> tags) {
    AllocationOutcome outcome = world.await(node.allocateStaticAddress(tags, world.context()));
    return outcome instanceof AllocationOutcome.Allocated allocated
        ? allocated.staticAddress()
        : Optional.empty();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "Z32 a public address of the tags is bound to the primary interface, and found by the next"
          + " operator")
  void publicAddress(Form form) {
    Map<String, String> tags = Map.of("use", "egress");
    AzureAllocation azure = world.allocation();
    NodeOperations node = node(azure, form, false);
    assertThat(azure.capabilities()).contains(Capability.STATIC_ADDRESS);
    assertThat(bind(node, Map.of("use", "other"))).isEmpty();
    assertThat(known(node).statistics().staticAddress()).isEmpty();
    Optional<IpAddress> given = bind(node, tags);
    assertThat(given).isPresent();
    assertThat(known(node).statistics().staticAddress()).isEqualTo(given);
    allocate(node, 4);
    world.await(azure.instanceSync(world.id(form.machine), world.context()));
    assertThat(known(node).statistics().staticAddress()).isEqualTo(given);
    int writes = world.writes();
    assertThat(bind(node(world.allocation(), form, false), tags)).isEqualTo(given);
    assertThat(world.writes()).isEqualTo(writes);
  }

  @Test
  @DisplayName("Z32 of several interfaces the machine's primary one gets the public address")
  void publicAddressOfPrimary() {
    String second = AzureWorld.NODES + "/Microsoft.Network/networkInterfaces/a-second";
    String subnet =
        AzureWorld.NODES.replace("/nodes/", "/network/")
            + "/Microsoft.Network/virtualNetworks/cluster/subnets/nodes";
    world.azure.change(
        owner ->
            owner.addInterface(
                second,
                Form.MACHINE.machine,
                List.of(
                    Document.of("name", "primary")
                        .with("properties", Document.of("subnet", Document.reference(subnet)))),
                Document.EMPTY));
    NodeOperations node = node(world.allocation(), Form.MACHINE, false);
    assertThat(known(node).interfaces()).hasSize(2);
    assertThat(bind(node, Map.of("use", "egress"))).isPresent();
    assertThat(world.seen(Form.MACHINE.target).configurations().get(0).pinned()).isTrue();
    assertThat(
            world
                .seen(new Target(ResourceId.of(second), "a-second", 1))
                .configurations()
                .get(0)
                .pinned())
        .isFalse();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "Z20 an operation that outlasts the attempt is not doubled, and its address is found")
  void publicAddressOutlasts(Form form) {
    AzureWorld slow =
        new AzureWorld(
            ModelOptions.builder(1).operation(DelayRange.fixed(Duration.ofMinutes(3))).build());
    AzureAllocation azure = slow.allocation();
    NodeOperations node = azure.createNode(slow.settings(false), slow.resource(form.machine));
    slow.await(azure.instanceSync(slow.id(form.machine), slow.context()));
    Map<String, String> tags = Map.of("use", "egress");
    AllocationOutcome first =
        slow.await(node.allocateStaticAddress(tags, slow.context(Duration.ofMinutes(1))));
    assertThat(first).isNotInstanceOf(AllocationOutcome.Allocated.class);
    Optional<IpAddress> given = Optional.empty();
    for (int i = 0; i < 5 && given.isEmpty(); i++) {
      slow.time.runUntil(slow.time.nanos() + Duration.ofMinutes(3).toNanos());
      slow.await(azure.instanceSync(slow.id(form.machine), slow.context()));
      if (slow.await(node.allocateStaticAddress(tags, slow.context()))
          instanceof AllocationOutcome.Allocated allocated) {
        given = allocated.staticAddress();
      }
    }
    assertThat(given).isPresent();
    assertThat(slow.writes()).isEqualTo(1);
  }
}
