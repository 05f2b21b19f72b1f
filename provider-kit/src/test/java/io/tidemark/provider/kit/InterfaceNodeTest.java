package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.plan.SlotModel;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node of a cloud of interfaces")
class InterfaceNodeTest {
  private static final Blocked BLOCKED = new Blocked(BlockedReason.OTHER_CLOUD, "azure");
  private static final IpAddress PUBLIC = IpAddress.parse("192.0.2.1");

  private final Held first = Held.empty("eni-0").with(PUBLIC).with(4);
  private final Held second = Held.empty("eni-1").with(2);
  private final Known known = new Known(first, second);
  private final List<String> unassigned = new ArrayList<>();

  private Optional<Blocked> untouchable = Optional.empty();
  private Optional<Places> places = Optional.of(new Places(8));
  private Set<String> retired = Set.of();
  private boolean drains = true;
  private Object networks = "networks";

  /** So many places on each of four interfaces. */
  private final class Node extends InterfaceNode<Held, Places> {
    Node(InstanceId instance) {
      super(
          known.account,
          new ReleasePlanner<>(
              new CallKind("Unassign", CallKind.Effect.REPEATABLE), Comparator.comparing(Held::id)),
          instance);
    }

    @Override
    protected Optional<Blocked> untouchable() {
      return untouchable;
    }

    @Override
    protected Optional<Places> slots() {
      return places;
    }

    @Override
    protected String instanceType() {
      return "large";
    }

    @Override
    protected AllocationAction plan(Places slots, InstanceView<Held> view) {
      return AllocationAction.blocked(
          new Blocked(BlockedReason.NO_SUBNET, "planned"), slots.emptySlots(view.interfaces()));
    }

    @Override
    protected CompletionStage<CallResult<InterfaceId>> unassign(
        Held each, AddressSet singles, List<Cidr> blocks, CallContext context) {
      unassigned.add(each.id() + " " + singles.size());
      return CompletableFuture.completedStage(new CallResult.Answered<>(each.id()));
    }

    @Override
    protected Predicate<Held> retired(Places slots, List<Held> attached) {
      return each -> retired.contains(each.id().text());
    }

    @Override
    protected boolean drains(Places slots, Held each) {
      return drains;
    }

    @Override
    public Object networks() {
      return networks;
    }

    @Override
    protected void updated(NodeResource resource) {
      throw new UnsupportedOperationException("the provider's");
    }

    @Override
    public NodeResource withProviderStatus(NodeResource resource) {
      throw new UnsupportedOperationException("the provider's");
    }

    @Override
    public CompletionStage<AllocationOutcome> allocateIps(
        AllocationAction action, CallContext context) {
      return stale(context, "the interface");
    }

    @Override
    public CompletionStage<AllocationOutcome> createInterface(
        AllocationAction action, CallContext context) {
      throw new UnsupportedOperationException("the provider's");
    }

    @Override
    public CompletionStage<AllocationOutcome> allocateStaticAddress(
        Map<String, String> tags, CallContext context) {
      throw new UnsupportedOperationException("the provider's");
    }
  }

  private final Node node = new Node(Known.INSTANCE);

  private Inventory.Known inventory() {
    return (Inventory.Known) node.inventory();
  }

  @Test
  @DisplayName("its inventory is what is known of its instance, with room and capacity")
  void inventoryOfInstance() {
    Inventory.Known all = inventory();
    assertThat(all.generation()).isEqualTo(known.view().generation());
    assertThat(all.interfaces()).extracting(each -> each.size()).containsExactly(4, 2);
    assertThat(all.statistics().capacityIpv4()).isEqualTo(32);
    assertThat(all.statistics().interfaces()).isEqualTo(2);
    assertThat(all.statistics().interfacesWithRoom()).isEqualTo(2);
    assertThat(all.statistics().emptySlots()).isEqualTo(2);
    assertThat(all.statistics().staticAddress()).contains(PUBLIC);
  }

  @Test
  @DisplayName("it is computed anew only when view, places or networks changed")
  void computedOnce() {
    Inventory before = node.inventory();
    assertThat(node.inventory()).isSameAs(before);
    networks = "other networks";
    assertThat(node.inventory()).as("equal, so the same object").isSameAs(before);
    retired = Set.of("eni-1");
    networks = "retiring networks";
    assertThat(node.inventory()).isNotEqualTo(before);
    places = Optional.of(new Places(4));
    assertThat(inventory().statistics().interfacesWithRoom()).as("eni-0 is full").isZero();
    known
        .account
        .inventory()
        .wrote(
            Known.INSTANCE,
            true,
            new Change.Removed<>(first.id(), first.singles().first(1), List.of()));
    assertThat(inventory().statistics().interfacesWithRoom()).isEqualTo(1);
  }

  @Test
  @DisplayName("retired interfaces have no room, and their addresses leave where they can")
  void retirement() {
    retired = Set.of("eni-0");
    assertThat(inventory().interfaces())
        .extracting(each -> each.draining())
        .containsExactly(true, false);
    drains = false;
    networks = "anew";
    assertThat(inventory().interfaces()).noneMatch(each -> each.draining());
    assertThat(inventory().statistics().interfacesWithRoom()).isEqualTo(1);
  }

  @Test
  @DisplayName("a node that must not be touched, is missing or of an unknown type says so")
  void reasons() {
    Node missing = new Node(new InstanceId("i-9"));
    assertThat(missing.inventory()).isInstanceOf(Inventory.InstanceMissing.class);
    assertThat(reason(missing)).isEqualTo(BlockedReason.INSTANCE_MISSING);
    places = Optional.empty();
    assertThat(node.inventory()).isEqualTo(new Inventory.LimitsUnknown("large"));
    assertThat(reason(node)).isEqualTo(BlockedReason.LIMITS_UNKNOWN);
    assertThat(node.maximumAllocatableIpv4()).isEmpty();
    assertThat(node.minimumAllocatableIpv4()).isEqualTo(SlotModel.PRE_ALLOCATE);
    untouchable = Optional.of(BLOCKED);
    assertThat(node.inventory()).isEqualTo(new Inventory.Untouchable(BLOCKED));
    assertThat(reason(node)).isEqualTo(BLOCKED.reason());
  }

  private static BlockedReason reason(Node node) {
    return node.prepareIpAllocation().blocked().orElseThrow().reason();
  }

  @Test
  @DisplayName("with everything known the provider plans, and the type limits the pool")
  void planned() {
    assertThat(reason(node)).isEqualTo(BlockedReason.NO_SUBNET);
    assertThat(node.maximumAllocatableIpv4()).hasValue(32);
    assertThat(node.isPrefixDelegated()).isFalse();
  }

  @Test
  @DisplayName("surplus is taken from the fullest interface, from a retired one before all others")
  void surplus() {
    assertThat(node.prepareIpRelease(4, AddressSet.of()).onInterface()).contains(first.id());
    retired = Set.of("eni-1");
    assertThat(node.prepareIpRelease(4, AddressSet.of()).onInterface()).contains(second.id());
    AddressSet used = second.singles();
    assertThat(node.prepareIpRelease(4, used).onInterface())
        .as("nothing of the retired one is free")
        .contains(first.id());
    untouchable = Optional.of(BLOCKED);
    assertThat(node.prepareIpRelease(4, AddressSet.of()).isEmpty()).isTrue();
    assertThat(node.prepareCidrRelease(Set.of(Cidr.parse("10.0.0.0/32")))).isEmpty();
  }

  @Test
  @DisplayName("a release is carried out on the interface of the plan, whose pool gets it back")
  void release() {
    ReleaseAction action = node.prepareIpRelease(4, AddressSet.of());
    assertThat(node.release(action, known.context()).toCompletableFuture().join())
        .isInstanceOf(ReleaseOutcome.Released.class);
    assertThat(unassigned).containsExactly("eni-0 4");
    assertThat(known.free(Known.POOL)).isEqualTo(104);
  }

  @Test
  @DisplayName("a plan that does not fit any more is refused, and nothing is sent")
  void stale() {
    ReleaseAction action = node.prepareIpRelease(4, AddressSet.of());
    untouchable = Optional.of(BLOCKED);
    assertThat(node.release(action, known.context()).toCompletableFuture().join())
        .isInstanceOf(ReleaseOutcome.NothingReleased.class);
    assertThat(unassigned).isEmpty();
    AllocationOutcome outcome =
        node.allocateIps(node.prepareIpAllocation(), known.context()).toCompletableFuture().join();
    assertThat(((AllocationOutcome.Refused) outcome).failure().condition()).isEqualTo("stalePlan");
  }
}
