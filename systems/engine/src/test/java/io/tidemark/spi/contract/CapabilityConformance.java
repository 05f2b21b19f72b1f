package io.tidemark.spi.contract;

import static io.tidemark.spi.contract.ContractWorld.known;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Capability;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.time.VirtualTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The tests of missing capabilities. A test names what it needs by {@link Needs}, or asks {@link
 * #lacks}: for a provider without it, the test is that it refuses. Subclassed through {@link
 * AllocationContract}.
 */
@ExtendWith(RefusalInstead.class)
abstract class CapabilityConformance {
  /** The usual world of a test, and "node1" of it; the account has been read. */
  ContractWorld world;

  NodeOperations node;

  @BeforeEach
  final void usual() {
    world = world().with(NodeShape.SMALL);
    node = world.node("node1", false);
  }

  /** A fresh cloud in the test's time. */
  protected abstract ContractCloud cloud(VirtualTime time);

  /**
   * The missing capabilities of the provider, each with the reason in a sentence. Whatever is not
   * named here is tested.
   */
  protected Map<Capability, String> lacking() {
    return Map.of();
  }

  final ContractWorld world() {
    return new ContractWorld(this::cloud);
  }

  /** Whether the provider lacks a capability; if so, it has just been seen to refuse. */
  final boolean lacks(Capability capability) {
    boolean lacks = lacking().containsKey(capability);
    if (lacks) {
      refuses(capability);
    }
    return lacks;
  }

  @Test
  @DisplayName("What a provider lacks is declared, with a reason, and refused clearly")
  void lackingIsDeclaredAndRefused() {
    EnumSet<Capability> declared = EnumSet.allOf(Capability.class);
    lacking().keySet().forEach(declared::remove);
    assertThat(world().provider.capabilities()).isEqualTo(declared);
    lacking()
        .forEach(
            (capability, reason) -> {
              assertThat(reason).as("reason for lacking %s", capability).isNotBlank();
              refuses(capability);
            });
  }

  private void refuses(Capability capability) {
    ContractWorld world = world().with(NodeShape.SMALL);
    boolean blocks =
        capability == Capability.PREFIX_DELEGATION || capability == Capability.SINGLE_ADDRESSES;
    NodeOperations node = world.node("node1", blocks);
    switch (capability) {
      case RELEASE -> refusesRelease(world, node);
      case PREFIX_DELEGATION ->
          assertThat(node.isPrefixDelegated()).as("without PREFIX_DELEGATION").isFalse();
      case SINGLE_ADDRESSES -> refusesSingles(world, node);
      case CIDR_RELEASE -> refusesCidrs(world, node);
      case STATIC_ADDRESS ->
          assertRefused(
              world,
              world.await(node.allocateStaticAddress(Map.of("a", "b"), world.context())),
              capability);
      case IPV6_PREFIX ->
          assertRefused(
              world,
              world.await(
                  node.allocateIps(
                      node.prepareIpAllocation().with(node.prepareIpAllocation().ipv4(), 1),
                      world.context())),
              capability);
      case NEW_INTERFACE -> refusesInterfaces(world, node);
      case MANY_SUBNETS -> staysAtHome();
      case ALIAS_RANGES ->
          assertThat(world.provider.aliasRanges()).as("without ALIAS_RANGES").isEmpty();
    }
  }

  private static void assertRefused(ContractWorld world, Object outcome, Capability capability) {
    assertThat(outcome)
        .as("without %s", capability)
        .isInstanceOfSatisfying(
            AllocationOutcome.Refused.class,
            refused -> assertThat(refused.failure().kind()).isEqualTo(Failure.Kind.CONFIGURATION));
    assertThat(world.changes).as("without %s nothing is sent", capability).isEmpty();
  }

  private static void refusesRelease(ContractWorld world, NodeOperations node) {
    AttachedInterface held = filled(world, node);
    int sent = world.changes.size();
    assertThat(node.prepareIpRelease(3, AddressSet.of()).isEmpty()).isTrue();
    assertReleaseRefused(world, node, held);
    assertThat(world.changes).as("without RELEASE nothing is sent").hasSize(sent);
  }

  private static void refusesCidrs(ContractWorld world, NodeOperations node) {
    AttachedInterface held = filled(world, node);
    assertThat(node.prepareCidrRelease(Set.of(Cidr.of(held.singles().at(0), 32)))).isEmpty();
  }

  private static AttachedInterface filled(ContractWorld world, NodeOperations node) {
    AllocationAction prepared = node.prepareIpAllocation();
    AllocationOutcome outcome =
        world.await(
            node.allocateIps(
                prepared.with(prepared.ipv4().wanting(6, OptionalInt.empty()), 0),
                world.context()));
    assertThat(outcome).isInstanceOf(AllocationOutcome.Allocated.class);
    return known(node).interfaces().get(0);
  }

  private static void assertReleaseRefused(
      ContractWorld world, NodeOperations node, AttachedInterface held) {
    ReleaseAction none = node.prepareIpRelease(1, AddressSet.of());
    ReleaseAction asked =
        new ReleaseAction(
            Optional.of(held.id()),
            none.pool(),
            held.singles().first(2),
            List.of(),
            none.firstCall());
    assertThat(world.await(node.release(asked, world.context())))
        .isInstanceOfSatisfying(
            ReleaseOutcome.NothingReleased.class,
            refused -> assertThat(refused.failure().kind()).isEqualTo(Failure.Kind.CONFIGURATION));
  }

  private static void refusesSingles(ContractWorld world, NodeOperations node) {
    AllocationAction prepared = node.prepareIpAllocation();
    AllocationAction tooFew = prepared.with(prepared.ipv4().wanting(8, OptionalInt.of(6)), 0);
    assertRefused(
        world, world.await(node.allocateIps(tooFew, world.context())), Capability.SINGLE_ADDRESSES);
  }

  private static void refusesInterfaces(ContractWorld world, NodeOperations node) {
    AllocationAction prepared = node.prepareIpAllocation();
    assertThat(prepared.emptyInterfaceSlots()).as("without NEW_INTERFACE").isZero();
    AllocationAction asked = prepared.with(prepared.ipv4().wanting(4, OptionalInt.empty()), 0);
    assertRefused(
        world, world.await(node.createInterface(asked, world.context())), Capability.NEW_INTERFACE);
  }

  private void staysAtHome() {
    ContractWorld world = world().with(NodeShape.SMALL);
    world.cloud.subnet("subnet-b", Cidr.parse("10.0.16.0/20"));
    world.cloud.leaveFree("subnet-a", 0);
    NodeOperations node = world.node("node1", false);
    assertThat(node.prepareIpAllocation().blocked())
        .as("without MANY_SUBNETS a full subnet is the end")
        .isPresent();
  }
}
