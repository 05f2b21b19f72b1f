package io.tidemark.spi.contract;

import static io.tidemark.spi.contract.ContractWorld.addresses;
import static io.tidemark.spi.contract.ContractWorld.known;
import static io.tidemark.spi.contract.ContractWorld.wanting;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Priority;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The requirements on every provider (node-manager 1.9, amendments N11 and N14): the contract of
 * {@code io.tidemark.spi} as tests, then the numbers of 10.5 through the engine. A provider's test
 * class extends this one and supplies its cloud; it passes as a whole or is no provider.
 */
public abstract class AllocationContract extends AliasConformance {

  @Test
  @DisplayName("Plain methods answer from the cache and send nothing")
  void plainMethodsSendNothing() {
    NodeResource resource = world.resource("node1", IpamSpec.of(8, 0, 0, 0));
    int before = world.requests.size();
    node.updatedNode(resource);
    node.withProviderStatus(resource);
    node.inventory();
    node.prepareIpAllocation();
    node.prepareIpRelease(4, AddressSet.of());
    node.prepareCidrRelease(Set.of(Cidr.parse("10.0.0.9/32")));
    node.maximumAllocatableIpv4();
    node.minimumAllocatableIpv4();
    node.isPrefixDelegated();
    world.provider.poolQuota();
    world.provider.describedInterfaces(resource);
    world.provider.instanceId(resource);
    world.run(Duration.ofMillis(1));
    assertThat(world.requests).hasSize(before);
  }

  @Test
  @DisplayName("NM-J1 Unknown members of the status section survive what the provider writes")
  void unknownMembers() {
    NodeResource resource = world.resource("node1", IpamSpec.of(8, 0, 0, 0));
    NodeResource written = node.withProviderStatus(resource);
    String extended = world.cloud.withUnknownMembers(NodeResourceJson.print(written));
    List<String> added =
        Pattern.compile("\"x-[^,]*").matcher(extended).results().map(MatchResult::group).toList();

    NodeResource again = node.withProviderStatus(Samples.parsed(extended));

    assertThat(world.provider.describedInterfaces(again))
        .isEqualTo(world.provider.describedInterfaces(written));
    assertThat(added).isNotEmpty();
    assertThat(NodeResourceJson.print(again)).contains(added);
  }

  @Test
  @DisplayName("An instance is unknown until it was read, and known afterwards")
  void unknownUntilRead() {
    ContractWorld world = world().with(NodeShape.SMALL);
    NodeResource resource = world.resource("node1", IpamSpec.of(8, 0, 0, 0));
    NodeOperations node =
        world.provider.createNode(new NodeSettings("node1", false, true, false), resource);
    assertThat(node.inventory()).isInstanceOf(Inventory.InstanceMissing.class);
    SyncOutcome outcome = world.readInstance("node1");
    assertThat(outcome).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(known(node).statistics().interfaces()).isEqualTo(1);
  }

  @Test
  @DisplayName("An instance that does not exist is an authoritative answer, not an error")
  void noSuchInstance() {
    ContractWorld world = world().with(NodeShape.SMALL);
    InstanceId nobody = new InstanceId(world.cloud.unknownInstance());
    assertThat(world.await(world.provider.instanceSync(nobody, world.context())))
        .isInstanceOf(SyncOutcome.InstanceNotFound.class);
  }

  @Test
  @DisplayName("An allocation is in the inventory, and in the cloud, when its stage ends")
  void allocationIsInTheInventory() {
    long before = known(node).generation();
    AllocationOutcome outcome = world.allocate(node, 5);
    assertThat(outcome)
        .isInstanceOfSatisfying(
            AllocationOutcome.Allocated.class,
            allocated -> {
              assertThat(allocated.addresses()).isEqualTo(5);
              assertThat(allocated.generation()).isGreaterThan(before);
            });
    assertThat(addresses(node).size()).isEqualTo(5);
    assertThat(known(node).generation()).isGreaterThan(before);
    assertThat(world.trulyAttached("node1")).isEqualTo(5);
    assertThat(addresses(node).toList())
        .isEqualTo(world.interfaces("node1").get(0).singles().toList());
  }

  @Test
  @DisplayName("The ceiling is never passed, and more than the interface holds is not asked for")
  void ceilingAndRoom() {
    boolean fixed = lacking().containsKey(Capability.NEW_INTERFACE);
    ContractWorld world = world().with(NodeShape.SMALL);
    int room = fixed ? world.cloud.addresses(NodeShape.SMALL) : NodeShape.SMALL.slots();
    NodeOperations node = world.node("node1", false);
    AllocationAction prepared = node.prepareIpAllocation();
    assertThat(prepared.ipv4().roomOnInterface()).isEqualTo(room);
    AllocationAction action = prepared.with(prepared.ipv4().wanting(8, OptionalInt.of(3)), 0);
    assertThat(world.await(node.allocateIps(action, world.context())))
        .isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(addresses(node).size()).isEqualTo(3);
    world.allocated(node, room + 41);
    assertThat(addresses(node).size()).isEqualTo(room);
    assertThat(node.prepareIpAllocation().onInterface()).isEmpty();
    assertThat(node.prepareIpAllocation().emptyInterfaceSlots()).isEqualTo(fixed ? 0 : 2);
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("A new interface is attached, marked and counted when its stage ends")
  void newInterface() {
    AllocationOutcome outcome = world.createInterface(node, 4);
    assertThat(outcome)
        .isInstanceOfSatisfying(
            AllocationOutcome.Allocated.class,
            allocated -> {
              assertThat(allocated.created()).isPresent();
              assertThat(allocated.addresses()).isEqualTo(4);
            });
    world.run(Duration.ofMinutes(5));
    assertThat(world.interfaces("node1"))
        .hasSize(2)
        .allMatch(ContractCloud.TrueInterface::deleteOnTermination);
    assertThat(known(node).statistics().emptySlots()).isEqualTo(1);
  }

  @Test
  @DisplayName("A lost answer is Unknown; the inventory asks for a read that began afterwards")
  void lostAnswer() {
    world.loseNextAnswer();
    AllocationOutcome outcome = world.allocate(node, 5);
    assertThat(world.trulyAttached("node1"))
        .as("an assign is never repeated before it was read back")
        .isEqualTo(5);
    if (outcome instanceof AllocationOutcome.Unknown) {
      long required = known(node).generation();
      SyncOutcome sync = world.readInstance("node1");
      assertThat(sync)
          .isInstanceOfSatisfying(
              SyncOutcome.Synced.class,
              synced -> assertThat(synced.startedGeneration()).isGreaterThanOrEqualTo(required));
    } else {
      assertThat(outcome).isInstanceOf(AllocationOutcome.Allocated.class);
    }
    assertThat(addresses(node).size()).isEqualTo(5);
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("Creating an interface survives a lost answer of every step: one interface, no more")
  void lostAnswersOfACreation() {
    for (int step = 0; step < 3; step++) {
      ContractWorld world = world().with(NodeShape.SMALL);
      NodeOperations node = world.node("node1", false);
      for (int i = 0; i < step; i++) {
        world.answerNextChange();
      }
      world.loseNextAnswer();
      world.createInterface(node, 4);
      assertThat(world.readInstance("node1")).isInstanceOf(SyncOutcome.Synced.class);
      if (world.interfaces("node1").size() == 1) {
        world.createInterface(node, 4);
      }
      world.run(Duration.ofMinutes(15));
      world.resynced();
      world.run(Duration.ofMinutes(15));
      assertThat(world.interfaces("node1"))
          .as("answer of change %s lost", step + 1)
          .hasSize(2)
          .allMatch(ContractCloud.TrueInterface::deleteOnTermination);
    }
  }

  @Test
  @DisplayName("A stage ends by its deadline, whatever the cloud does")
  void deadline() {
    world.loseNextRequest();
    AllocationOutcome outcome = world.allocate(node, 5);
    assertThat(outcome).isInstanceOf(AllocationOutcome.Unknown.class);
  }

  @Test
  @DisplayName("A cancelled context sends nothing more")
  void cancelled() {
    Cancellation cancellation = new Cancellation();
    cancellation.cancel();
    AllocationOutcome outcome =
        world.await(node.allocateIps(wanting(node, 5), world.context(cancellation)));
    assertThat(outcome).isInstanceOf(AllocationOutcome.Refused.class);
    assertThat(world.trulyAttached("node1")).isZero();
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("F-11 cancelled in the middle of a creation: what was made is undone or finished")
  void cancelledInTheMiddle() {
    Cancellation cancellation = new Cancellation();
    var stage = node.createInterface(wanting(node, 4), world.context(cancellation));
    world.run(ContractWorld.TRAVEL.multipliedBy(3));
    cancellation.cancel();
    world.await(stage);
    world.run(Duration.ofMinutes(10));
    world.resynced();
    world.run(Duration.ofMinutes(10));
    world.resynced();
    world.run(Duration.ofMinutes(1));
    assertThat(world.cloud.unattachedInterfaces()).isZero();
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("A stopped instance is an outcome of its own")
  void stopped() {
    AllocationAction action = wanting(node, 4);
    world.stop("node1");
    AllocationOutcome outcome = world.await(node.createInterface(action, world.context()));
    assertThat(outcome).isInstanceOf(AllocationOutcome.InstanceNotRunning.class);
    world.run(Duration.ofMinutes(2));
    assertThat(world.cloud.unattachedInterfaces()).isZero();
  }

  @Test
  @DisplayName("A stopped instance takes addresses like any other, or says that it does not run")
  void addressesOfStopped() {
    world.stop("node1");
    AllocationOutcome outcome = world.allocate(node, 4);
    if (world.cloud.addsWhileStopped()) {
      assertThat(outcome).isInstanceOf(AllocationOutcome.Allocated.class);
    } else {
      assertThat(outcome).isInstanceOf(AllocationOutcome.InstanceNotRunning.class);
      assertThat(world.trulyAttached("node1")).isZero();
      world.restart("node1");
      world.allocated(node, 4);
    }
    assertThat(addresses(node).size()).isEqualTo(4);
    assertThat(world.trulyAttached("node1")).isEqualTo(4);
  }

  @Test
  @DisplayName("D-8 an exhausted pool is an outcome, and the next plan knows it")
  void exhausted() {
    AllocationAction action = wanting(node, 5);
    world.cloud.leaveFree("subnet-a", 0);
    AllocationOutcome outcome = world.await(node.allocateIps(action, world.context()));
    assertThat(outcome).isInstanceOf(AllocationOutcome.PoolExhausted.class);
    AllocationAction next = node.prepareIpAllocation();
    assertThat(next.blocked().isPresent() || next.ipv4().roomOnInterface() == 0).isTrue();
  }

  @Test
  @Needs(Capability.PREFIX_DELEGATION)
  @DisplayName("Blocks come whole, count sixteen, and are never listed singly (NM-C7)")
  void blocks() {
    ContractWorld world = world().with(NodeShape.SMALL);
    NodeOperations node = world.node("node1", true);
    assertThat(node.isPrefixDelegated()).isTrue();
    assertThat(node.prepareIpAllocation().ipv4().blockSize()).isEqualTo(16);
    world.allocated(node, 17);
    AttachedInterface held = known(node).interfaces().get(0);
    assertThat(held.blocks()).hasSize(2).allMatch(block -> block.prefixLength() == 28);
    assertThat(held.singles()).isEmpty();
    assertThat(held.size()).isEqualTo(32);
  }

  @Test
  @Needs({Capability.PREFIX_DELEGATION, Capability.SINGLE_ADDRESSES})
  @DisplayName("N1 where no whole block fits under the ceiling, singles are taken")
  void singlesUnderTheCeiling() {
    ContractWorld world = world().with(NodeShape.SMALL);
    NodeOperations node = world.node("node1", true);
    AllocationAction prepared = node.prepareIpAllocation();
    AllocationAction action = prepared.with(prepared.ipv4().wanting(8, OptionalInt.of(6)), 0);
    assertThat(world.await(node.allocateIps(action, world.context())))
        .isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(addresses(node).size()).isEqualTo(6);
  }

  @Test
  @Needs(Capability.RELEASE)
  @DisplayName("A release takes exactly what was listed, and never the primary address (NM-C8)")
  void releaseTakesWhatWasListed() {
    world.allocated(node, 6);
    AddressSet all = addresses(node);
    AddressSet used = all.first(2);
    ReleaseAction action = node.prepareIpRelease(3, used);
    assertThat(action.addresses().size()).isEqualTo(3);
    assertThat(action.addresses().intersects(used)).isFalse();
    IpAddress primary = world.interfaces("node1").get(0).primary();
    assertThat(action.addresses().contains(primary)).isFalse();
    ReleaseOutcome outcome = world.await(node.release(action, world.context()));
    assertThat(outcome)
        .isInstanceOfSatisfying(
            ReleaseOutcome.Released.class,
            released -> {
              assertThat(released.addresses()).isEqualTo(action.addresses());
              assertThat(released.rest()).isEmpty();
            });
    assertThat(addresses(node)).isEqualTo(all.minus(action.addresses()));
    assertThat(world.trulyAttached("node1")).isEqualTo(3);
  }

  @Test
  @Needs({Capability.PREFIX_DELEGATION, Capability.RELEASE})
  @DisplayName("Blocks are released whole, and only when none of their addresses is used")
  void releaseOfBlocks() {
    ContractWorld world = world().with(NodeShape.SMALL);
    NodeOperations node = world.node("node1", true);
    world.allocated(node, 40);
    List<Cidr> blocks = known(node).interfaces().get(0).blocks();
    AddressSet used = AddressSet.of(blocks.get(0).address(5));
    assertThat(node.prepareIpRelease(15, used).isEmpty()).as("15 are less than a block").isTrue();
    ReleaseAction action = node.prepareIpRelease(47, used);
    assertThat(action.blocks()).hasSize(2).doesNotContain(blocks.get(0));
    assertThat(world.await(node.release(action, world.context())))
        .isInstanceOf(ReleaseOutcome.Released.class);
    assertThat(known(node).interfaces().get(0).blocks()).containsExactly(blocks.get(0));
  }

  @Test
  @Needs(Capability.CIDR_RELEASE)
  @DisplayName("CIDR release lists what is attached and nothing else (NM-C5)")
  void cidrRelease() {
    world.allocated(node, 3);
    Cidr mine = Cidr.of(addresses(node).at(0), 32);
    List<ReleaseAction> actions = node.prepareCidrRelease(Set.of(mine, Cidr.parse("192.0.2.7/32")));
    assertThat(actions).hasSize(1);
    assertThat(actions.get(0).addresses().toList()).containsExactly(mine.network());
  }

  @Test
  @DisplayName("D-2 D-4 a read that began before an own write does not undo it")
  void staleRead() {
    var early = world.provider.instanceSync(world.instance("node1"), world.context());
    var allocation = node.allocateIps(wanting(node, 5), world.context());
    Object read = world.await(early);
    Object allocated = world.await(allocation);
    assertThat(read).isInstanceOf(SyncOutcome.class);
    assertThat(allocated).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(addresses(node).size()).isEqualTo(5);
  }

  @Test
  @DisplayName(
      "An unchanged account keeps the same inventory object; its plans are the same (D-18)")
  void stable() {
    world.allocated(node, 6);
    world.run(Duration.ofMinutes(5));
    world.resynced();
    Inventory before = node.inventory();
    world.resynced();
    assertThat(known(node).interfaces()).isEqualTo(((Inventory.Known) before).interfaces());
    assertThat(node.prepareIpAllocation()).isEqualTo(node.prepareIpAllocation());
    assertThat(node.prepareIpRelease(2, AddressSet.of()))
        .isEqualTo(node.prepareIpRelease(2, AddressSet.of()));
  }

  @Test
  @DisplayName("The pools' free counts follow own allocations at once")
  void quota() {
    long before = world.free();
    world.allocated(node, 6);
    assertThat(world.free()).isEqualTo(before - 6);
  }

  @Test
  @DisplayName("Names of requests come from a bounded set that the provider declares")
  void boundedNames() {
    world.allocated(node, 2);
    assertThat(new HashSet<>(world.requests)).hasSizeLessThanOrEqualTo(20);
  }

  @Test
  @DisplayName("An expired context sends nothing")
  void expired() {
    CallContext late =
        CallContext.of(
            "node1",
            Priority.of(Priority.Rank.BELOW_WATERMARK),
            world.time.nanos(),
            new Cancellation());
    assertThat(world.await(node.allocateIps(wanting(node, 3), late)))
        .isInstanceOf(AllocationOutcome.Refused.class);
    assertThat(world.trulyAttached("node1")).isZero();
  }
}
