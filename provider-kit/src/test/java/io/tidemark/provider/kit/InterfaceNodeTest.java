package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.plan.SlotModel;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CallToken;
import io.tidemark.resource.AzureStatus;
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
import java.util.TreeMap;
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
  private final List<String> updates = new ArrayList<>();

  private Optional<Blocked> untouchable = Optional.empty();
  private Optional<Places> places = Optional.of(new Places(8));
  private Set<String> retired = Set.of();
  private boolean drains = true;
  private boolean limitsPending;
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
      updates.add(resource.name());
    }

    @Override
    protected boolean limitsPending() {
      return limitsPending;
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
    known.wrote(true, new Change.Removed<>(first.id(), first.singles().first(1), List.of()));
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
  @DisplayName("the provider plans for a node unless it is missing, unknown or not to be touched")
  void reasons() {
    assertThat(reason(node)).isEqualTo(BlockedReason.NO_SUBNET);
    assertThat(node.maximumAllocatableIpv4()).as("of the type").hasValue(32);
    assertThat(node.isPrefixDelegated()).isFalse();
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
    untouchable = Optional.empty();
    known.wrote(false, new Change.AssignLost<>(first.id(), first.slotsTaken()));
    assertThat(node.view().orElseThrow().doubtful()).isTrue();
    assertThat(node.prepareIpRelease(4, AddressSet.of()).isEmpty()).as("in doubt").isTrue();
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

  @Test
  @DisplayName("while the limits of its type are being read nothing is said of the type")
  void limitsBeingRead() {
    places = Optional.empty();
    limitsPending = true;
    Inventory.InstanceMissing missing = (Inventory.InstanceMissing) node.inventory();
    assertThat(missing.authoritative()).isFalse();
    assertThat(missing.why().orElseThrow().reason()).isEqualTo(BlockedReason.READING_BACK);
    places = Optional.of(new Places(8));
    assertThat(node.inventory()).as("known limits count").isInstanceOf(Inventory.Known.class);
  }

  /** An object that names an address of the machine. */
  private static NodeResource withAddress(IpAddress own) {
    AzureStatus.Interface nic =
        new AzureStatus.Interface(
            "nic",
            "eth0",
            "",
            AzureStatus.SUCCEEDED,
            Optional.of(own),
            List.of(),
            "",
            Optional.empty(),
            Optional.empty(),
            "");
    return NodeResource.named("node-a")
        .withAzureStatus(new AzureStatus(new TreeMap<>(Map.of("nic", nic))));
  }

  @Test
  @DisplayName("an address of the machine is neither for pods nor counted, and is never given back")
  void machineAddress() {
    Inventory.Known before = inventory();
    IpAddress own = second.singles().at(1);
    node.updatedNode(withAddress(own));
    assertThat(updates).containsExactly("node-a");
    assertThat(inventory().interfaces()).extracting(each -> each.size()).containsExactly(3, 1);
    assertThat(inventory().statistics().capacityIpv4())
        .isEqualTo(before.statistics().capacityIpv4() - 2);
    assertThat(node.maximumAllocatableIpv4()).hasValue(30);
    ReleaseAction surplus = node.prepareIpRelease(8, AddressSet.of());
    assertThat(surplus.addresses()).hasSize(3).doesNotContain(own);
    Cidr single = Cidr.single(own);
    assertThat(node.prepareCidrRelease(Set.of(single))).isEmpty();
    assertThat(node.prepareCidrRelease(Set.of(single, Cidr.single(first.singles().at(0)))))
        .allMatch(each -> !each.addresses().contains(own))
        .hasSize(2);
    node.updatedNode(NodeResource.named("node-a"));
    assertThat(node.inventory()).isEqualTo(before);
  }

  @Test
  @DisplayName("an excluded interface serves no pods, has no room, and gives nothing back")
  void excluded() {
    Held out = Held.empty("excluded-2").with(6);
    known.wrote(true, new Change.Attached<>(out));
    Inventory.Known all = inventory();
    assertThat(all.interfaces())
        .extracting(each -> each.id().text())
        .containsExactly("eni-0", "eni-1");
    assertThat(all.statistics().interfaces()).isEqualTo(3);
    assertThat(all.statistics().interfacesWithRoom()).isEqualTo(2);
    assertThat(all.statistics().emptySlots()).isEqualTo(1);
    assertThat(all.statistics().capacityIpv4()).as("it takes the place of another").isEqualTo(24);
    assertThat(node.maximumAllocatableIpv4()).hasValue(24);
    assertThat(node.prepareIpRelease(6, AddressSet.of()).onInterface()).contains(first.id());
    retired = Set.of("excluded-2");
    assertThat(node.prepareIpRelease(6, AddressSet.of()).onInterface()).contains(first.id());
    Set<Cidr> ofOut = Set.of(Cidr.single(out.singles().at(5)));
    assertThat(node.prepareCidrRelease(ofOut)).isEmpty();
    node.updatedNode(withAddress(out.singles().at(5)));
    assertThat(inventory().statistics().capacityIpv4()).as("no pod had it").isEqualTo(24);
  }

  @Test
  @DisplayName("nothing is planned to go where instance or limits are not known")
  void nothingToGo() {
    Set<Cidr> one = Set.of(Cidr.single(first.singles().at(0)));
    assertThat(node.prepareCidrRelease(one)).hasSize(2);
    Node missing = new Node(new InstanceId("i-9"));
    assertThat(missing.prepareIpRelease(4, AddressSet.of()).isEmpty()).isTrue();
    assertThat(missing.prepareCidrRelease(one)).isEmpty();
    places = Optional.empty();
    assertThat(node.prepareIpRelease(4, AddressSet.of()).isEmpty()).isTrue();
    assertThat(node.prepareCidrRelease(one)).isEmpty();
  }

  @Test
  @DisplayName("a release of an interface that is not known any more, or of nothing, is not sent")
  void nothingToSend() {
    ReleaseAction action = node.prepareIpRelease(4, AddressSet.of());
    known
        .account
        .inventory()
        .accept(known.account.inventory().beginRead(), Known.INSTANCE, List.of(second));
    Token token = new Token();
    CallContext context = known.context().withToken(token);
    assertThat(node.release(action, context).toCompletableFuture().join())
        .isInstanceOf(ReleaseOutcome.NothingReleased.class);
    assertThat(token.givenBack).isEqualTo(1);
    ReleaseAction empty =
        new ReleaseAction(
            Optional.of(second.id()),
            Optional.of(Known.POOL),
            AddressSet.of(),
            List.of(),
            action.firstCall());
    assertThat(node.release(empty, context).toCompletableFuture().join())
        .isInstanceOf(ReleaseOutcome.NothingReleased.class);
    node.allocateIps(node.prepareIpAllocation(), context).toCompletableFuture().join();
    assertThat(token.givenBack).isEqualTo(3);
    assertThat(unassigned).isEmpty();
  }

  /** Counts how often it was given back. */
  private static final class Token implements CallToken {
    private int givenBack;

    @Override
    public CallKind kind() {
      return new CallKind("Unassign", CallKind.Effect.REPEATABLE);
    }

    @Override
    public boolean take() {
      return true;
    }

    @Override
    public void giveBack() {
      givenBack++;
    }
  }
}
