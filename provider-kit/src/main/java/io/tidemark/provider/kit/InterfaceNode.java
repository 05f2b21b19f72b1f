package io.tidemark.provider.kit;

import static java.util.stream.Collectors.toSet;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.plan.SlotModel;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One node of a cloud of interfaces: the known state of its instance, plans, and releases. A
 * provider adds its section of the resource and the requests that add addresses. Thread-safe if the
 * provider's part is.
 *
 * @param <M> its slot model
 */
public abstract class InterfaceNode<I extends CachedInterface<I>, M extends SlotModel<I>>
    implements NodeOperations {
  private final AccountState<I, ?> account;
  private final ReleasePlanner<I> releases;
  private final InstanceId instance;
  private volatile AddressSet nodeAddresses = AddressSet.of();
  private volatile @Nullable Computed<I, M> computed;

  private record Computed<I extends CachedInterface<I>, M>(
      InstanceView<I> view, M slots, Object networks, AddressSet ofTheNode, Inventory inventory) {
    @SuppressWarnings("ReferenceEquality") // networks are compared by identity
    boolean isOf(InstanceView<I> otherView, M otherSlots, Object otherNetworks, AddressSet others) {
      return networks == otherNetworks
          && view.equals(otherView)
          && slots.equals(otherSlots)
          && ofTheNode.equals(others);
    }
  }

  /**
   * A node of one account.
   *
   * @param releases which addresses the cloud prefers to release
   */
  protected InterfaceNode(
      AccountState<I, ?> account, ReleasePlanner<I> releases, InstanceId instance) {
    this.account = account;
    this.releases = releases;
    this.instance = instance;
  }

  // ---- what the provider says

  /** Takes a version of the resource; by default nothing of it counts. */
  protected void updated(NodeResource resource) {}

  /** Why the node must not be touched; empty when it may be. */
  protected abstract Optional<Blocked> untouchable();

  /** The places of the instance; empty while the limits of its type are not known. */
  protected abstract Optional<M> slots();

  /** The type of the instance as the resource has it; asked while its places are not known. */
  protected String instanceType() {
    return "";
  }

  /** Plans what to add, from the known state. */
  protected abstract AllocationAction plan(M slots, InstanceView<I> view);

  /** Takes singles and blocks away from an interface. */
  protected abstract CompletionStage<CallResult<InterfaceId>> unassign(
      I each, AddressSet singles, List<Cidr> blocks, CallContext context);

  /** Whether one request takes singles and blocks. */
  protected boolean unassignsTogether() {
    return false;
  }

  /** Why the instance is missing when it is not alone in that; empty otherwise. */
  protected Optional<Blocked> elsewhere() {
    return Optional.empty();
  }

  /** Interfaces that get no more addresses and go first; may depend on {@link #networks()}. */
  protected Predicate<I> retired(M slots, List<I> attached) {
    return each -> false;
  }

  /** Whether a retired interface can be emptied. */
  protected boolean drains(M slots, I retired) {
    return true;
  }

  // ---- what is known

  @Override
  public final void updatedNode(NodeResource resource) {
    nodeAddresses = resource.nodeAddresses().ofMachine();
    updated(resource);
  }

  /** The instance that it runs on. */
  public final InstanceId instance() {
    return instance;
  }

  /** The known state of the instance; empty if unknown. */
  public final Optional<InstanceView<I>> view() {
    return account.inventory().find(instance);
  }

  /** The known attached interfaces, ids ascending. */
  public final List<I> interfaces() {
    return view().map(InstanceView::interfaces).orElse(List.of());
  }

  /** The interface of a plan; empty when it is not known any more. */
  protected final Optional<I> find(Optional<InterfaceId> id) {
    return view().flatMap(now -> id.flatMap(now::find));
  }

  @Override
  public final Inventory inventory() {
    Optional<Blocked> blocked = untouchable();
    if (blocked.isPresent()) {
      return new Inventory.Untouchable(blocked.get());
    }
    Optional<InstanceView<I>> view = view();
    if (view.isEmpty()) {
      return new Inventory.InstanceMissing(account.inventory().knownAbsent(instance), elsewhere());
    }
    Optional<M> slots = slots();
    if (slots.isEmpty() && limitsPending()) {
      return new Inventory.InstanceMissing(
          false,
          Optional.of(
              new Blocked(
                  BlockedReason.READING_BACK,
                  "the limits of instance type '" + instanceType() + "' are being read")));
    }
    return slots.isEmpty()
        ? new Inventory.LimitsUnknown(instanceType())
        : inventory(view.get(), slots.get());
  }

  /** Whether limits that were never known are being read; a read of the instance ends later. */
  protected boolean limitsPending() {
    return false;
  }

  /** The way to let this provider learn the limits of a type, after a comma; by default nothing. */
  protected String limitsAdvice() {
    return "";
  }

  /** The same object until something it rests on changed. */
  private Inventory inventory(InstanceView<I> view, M slots) {
    Computed<I, M> last = computed;
    Object networks = networks();
    AddressSet ofTheNode = nodeAddresses;
    if (last == null || !last.isOf(view, slots, networks, ofTheNode)) {
      Inventory now = compute(view, slots, ofTheNode);
      Inventory same = last != null && now.equals(last.inventory()) ? last.inventory() : now;
      last = new Computed<>(view, slots, networks, ofTheNode, same);
      computed = last;
    }
    return last.inventory();
  }

  private Inventory compute(InstanceView<I> view, M slots, AddressSet ofTheNode) {
    List<I> attached = view.interfaces();
    Predicate<I> retired = retired(slots, attached);
    List<AttachedInterface> usable =
        attached.stream()
            .filter(slots::usable)
            .map(
                each -> {
                  AttachedInterface pods = without(ofTheNode, slots.podAddresses(each));
                  return retired.test(each) && drains(slots, each) ? pods.drained() : pods;
                })
            .toList();
    long withRoom =
        attached.stream().filter(each -> slots.hasRoom(each) && !retired.test(each)).count();
    return new Inventory.Known(
        view.generation(),
        usable,
        new InterfaceStatistics(
            Math.max(0, slots.capacity(attached, retired) - held(ofTheNode, slots, attached)),
            attached.size(),
            (int) withRoom,
            slots.emptySlots(attached),
            attached.stream().mapToInt(each -> each.ipv6Prefixes().size()).sum(),
            slots.ownInterface(attached).flatMap(CachedInterface::publicAddress)));
  }

  /** The addresses of the machine itself are not for pods, whatever interface has them. */
  private static AttachedInterface without(AddressSet ofTheNode, AttachedInterface pods) {
    return pods.singles().intersect(ofTheNode).isEmpty()
        ? pods
        : new AttachedInterface(pods.id(), pods.singles().minus(ofTheNode), pods.blocks());
  }

  /** How many of the addresses that would be for pods are the machine's. */
  private int held(AddressSet ofTheNode, M slots, List<I> attached) {
    int held = 0;
    if (!ofTheNode.isEmpty()) {
      for (I each : attached) {
        held +=
            slots.usable(each) ? slots.podAddresses(each).singles().intersect(ofTheNode).size() : 0;
      }
    }
    return held;
  }

  @Override
  public final OptionalInt maximumAllocatableIpv4() {
    Optional<M> slots = slots();
    if (slots.isEmpty()) {
      return OptionalInt.empty();
    }
    List<I> attached = interfaces();
    OptionalInt ceiling = slots.get().reachable(attached);
    return ceiling.isEmpty()
        ? ceiling
        : OptionalInt.of(
            Math.max(0, ceiling.getAsInt() - held(nodeAddresses, slots.get(), attached)));
  }

  @Override
  public final int minimumAllocatableIpv4() {
    return slots().map(SlotModel::preAllocateDefault).orElse(SlotModel.PRE_ALLOCATE);
  }

  @Override
  public final boolean isPrefixDelegated() {
    return slots().map(model -> model.delegated(interfaces())).orElse(false);
  }

  // ---- plans

  @Override
  public AllocationAction prepareIpAllocation() {
    Optional<InstanceView<I>> view = view();
    Optional<M> slots = slots();
    Optional<Blocked> blocked = untouchable();
    if (blocked.isEmpty() && view.isEmpty()) {
      blocked = Optional.of(new Blocked(BlockedReason.INSTANCE_MISSING, instance.text()));
    }
    if (blocked.isEmpty() && slots.isEmpty()) {
      blocked =
          Optional.of(
              new Blocked(
                  BlockedReason.LIMITS_UNKNOWN,
                  "instance type '" + instanceType() + "'" + limitsAdvice()));
    }
    return blocked.isPresent()
        ? AllocationAction.blocked(blocked.get(), 0)
        : plan(slots.orElseThrow(), view.orElseThrow());
  }

  @Override
  public final ReleaseAction prepareIpRelease(int excess, AddressSet used) {
    Optional<InstanceView<I>> view = view();
    Optional<M> slots = slots();
    if (untouchable().isPresent() || view.isEmpty() || slots.isEmpty()) {
      return releases.nothing();
    }
    InstanceView<I> now = view.get();
    AddressSet stays = used.plus(nodeAddresses);
    List<I> retired =
        now.interfaces().stream().filter(retired(slots.get(), now.interfaces())).toList();
    ReleaseAction first =
        releases.byExcess(
            new InstanceView<>(now.generation(), retired, now.doubtful()),
            slots.get()::gives,
            excess,
            stays);
    return first.isEmpty() ? releases.byExcess(now, slots.get()::gives, excess, stays) : first;
  }

  @Override
  public final List<ReleaseAction> prepareCidrRelease(Set<Cidr> cidrs) {
    Optional<InstanceView<I>> view = view();
    Optional<M> slots = slots();
    return untouchable().isPresent() || view.isEmpty() || slots.isEmpty()
        ? List.of()
        : releases.byCidr(view.get(), slots.get()::usable, withoutTheNodes(cidrs));
  }

  private Set<Cidr> withoutTheNodes(Set<Cidr> cidrs) {
    AddressSet ofTheNode = nodeAddresses;
    return ofTheNode.isEmpty()
        ? cidrs
        : cidrs.stream().filter(each -> !ofTheNode.containsAny(each)).collect(toSet());
  }

  // ---- changes

  @Override
  public final CompletionStage<ReleaseOutcome> release(ReleaseAction action, CallContext context) {
    Optional<I> each = find(action.onInterface());
    if (untouchable().isPresent() || each.isEmpty() || action.isEmpty()) {
      context.giveBackToken();
      return CompletableFuture.completedStage(
          new ReleaseOutcome.NothingReleased(
              Failure.of(Failure.Kind.CONFLICT, "stalePlan", "the plan is outdated")));
    }
    I from = each.get();
    return new AddressRelease<>(
            account.inventory(),
            instance,
            action,
            unassignsTogether(),
            (singles, blocks) -> unassign(from, singles, blocks, context),
            addresses -> account.pools().gave(from.pool(), addresses))
        .run();
  }

  /** By default the cloud has no public addresses. */
  @Override
  public CompletionStage<AllocationOutcome> allocateStaticAddress(
      Map<String, String> tags, CallContext context) {
    return notPossible(context, "this cloud has no public addresses");
  }

  /** The outcome of a plan that no longer fits the known state; returns its token. */
  public static CompletionStage<AllocationOutcome> stale(CallContext context, String detail) {
    return refused(context, Failure.of(Failure.Kind.CONFLICT, "stalePlan", detail));
  }

  /** The outcome of what the cloud, or the provider, cannot do; gives the token back. */
  public static CompletionStage<AllocationOutcome> notPossible(CallContext context, String why) {
    return refused(context, Failure.of(Failure.Kind.CONFIGURATION, "notPossible", why));
  }

  /** The outcome of a plan for which nothing was sent; gives its token back. */
  public static CompletionStage<AllocationOutcome> refused(CallContext context, Failure failure) {
    context.giveBackToken();
    return CompletableFuture.completedStage(new AllocationOutcome.Refused(failure));
  }
}
