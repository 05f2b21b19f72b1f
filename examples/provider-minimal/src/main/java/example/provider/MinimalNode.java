package example.provider;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.AddressRelease;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.ReleasePlanner;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.OtherClouds;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One machine. Plans are made from the cache; each change is one request. */
final class MinimalNode implements NodeOperations {
  private static final ReleasePlanner<FixedInterface> SURPLUS =
      new ReleasePlanner<>(MachineCalls.REMOVE, Comparator.comparing(FixedInterface::id));

  private final MinimalProvider provider;
  private final InstanceId machine;
  private volatile Optional<Blocked> otherCloud;
  private volatile @Nullable Computed computed;

  /** The last inventory and what it was computed from. */
  private record Computed(InstanceView<FixedInterface> view, Inventory inventory) {}

  MinimalNode(MinimalProvider provider, InstanceId machine, NodeResource resource) {
    this.provider = provider;
    this.machine = machine;
    this.otherCloud = OtherClouds.blocked(resource, MachineSectionJson.SECTION);
  }

  private Optional<InstanceView<FixedInterface>> view() {
    return provider.inventory.find(machine);
  }

  /** The one interface; empty while the machine is unknown or another cloud's. */
  private Optional<FixedInterface> held() {
    return otherCloud.isPresent()
        ? Optional.empty()
        : view().flatMap(now -> now.interfaces().stream().findFirst());
  }

  @Override
  public void updatedNode(NodeResource resource) {
    otherCloud = OtherClouds.blocked(resource, MachineSectionJson.SECTION);
  }

  @Override
  public NodeResource withProviderStatus(NodeResource resource) {
    return held().map(it -> MachineSectionJson.write(resource, it)).orElse(resource);
  }

  @Override
  public Inventory inventory() {
    if (otherCloud.isPresent()) {
      return new Inventory.Untouchable(otherCloud.get());
    }
    Optional<InstanceView<FixedInterface>> now = view();
    if (now.isEmpty()) {
      return new Inventory.InstanceMissing(provider.inventory.knownAbsent(machine));
    }
    Computed last = computed;
    if (last == null || !last.view().equals(now.get())) {
      last = new Computed(now.get(), known(now.get()));
      computed = last;
    }
    return last.inventory();
  }

  private static Inventory known(InstanceView<FixedInterface> view) {
    FixedInterface it = view.interfaces().get(0);
    return new Inventory.Known(
        view.generation(),
        List.of(attached(it, it.singles())),
        new InterfaceStatistics(it.limit(), 1, Math.min(1, it.room()), 0, 0, Optional.empty()));
  }

  private static AttachedInterface attached(FixedInterface held, AddressSet addresses) {
    return new AttachedInterface(held.id(), addresses, List.of());
  }

  @Override
  public AllocationAction prepareIpAllocation() {
    Optional<FixedInterface> held = held();
    Optional<Blocked> blocked = blocked(held);
    if (blocked.isPresent()) {
      return AllocationAction.blocked(blocked.get(), 0);
    }
    FixedInterface it = held.orElseThrow();
    int room = Math.min(it.room(), provider.free(it.pool()));
    return new AllocationAction(
        Optional.of(it.id()),
        Optional.of(it.pool()),
        0,
        new AddressPlan(room, 0, OptionalInt.empty(), 1, 1),
        0,
        List.of(MachineCalls.ADD),
        Optional.empty());
  }

  private Optional<Blocked> blocked(Optional<FixedInterface> held) {
    if (otherCloud.isPresent()) {
      return otherCloud;
    }
    if (held.isEmpty()) {
      return Optional.of(new Blocked(BlockedReason.INSTANCE_MISSING, machine.text()));
    }
    FixedInterface it = held.get();
    if (view().filter(InstanceView::doubtful).isPresent()) {
      return Optional.of(new Blocked(BlockedReason.READING_BACK, "an answer was lost"));
    }
    if (it.room() == 0) {
      return Optional.of(
          new Blocked(BlockedReason.ADDRESS_LIMIT, machine + " holds " + it.limit()));
    }
    return provider.free(it.pool()) > 0
        ? Optional.empty()
        : Optional.of(new Blocked(BlockedReason.SUBNET_EXHAUSTED, it.pool().text()));
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateIps(
      AllocationAction action, CallContext context) {
    if (action.ipv6Prefixes() > 0) {
      return refused(Failure.Kind.CONFIGURATION, "this cloud has no IPv6 prefixes", context);
    }
    Optional<FixedInterface> held = held();
    int room = held.map(it -> Math.min(it.room(), provider.free(it.pool()))).orElse(0);
    int count = Math.min(action.ipv4().singles(), room);
    if (count == 0) {
      return refused(Failure.Kind.CONFLICT, machine + " has no room", context);
    }
    FixedInterface it = held.orElseThrow();
    provider.changeFree(it.pool(), -count);
    return provider
        .calls
        .call(MachineCalls.ADD, context, attempt -> provider.api.add(machine.text(), count))
        .thenApply(
            result ->
                result.match(
                    addresses -> added(it, count, addresses),
                    failure -> failed(it, count, failure)));
  }

  private AllocationOutcome added(FixedInterface it, int asked, AddressSet addresses) {
    provider.changeFree(it.pool(), asked - addresses.size());
    long generation =
        provider.inventory.wrote(machine, true, new Change.Added<>(it.id(), addresses, List.of()));
    return new AllocationOutcome.Allocated(
        List.of(attached(it, addresses)), Optional.empty(), Optional.empty(), generation);
  }

  private AllocationOutcome failed(FixedInterface it, int asked, Failure failure) {
    if (failure.kind() == Failure.Kind.LOST) {
      Object unused =
          provider.inventory.wrote(
              machine, false, new Change.AssignLost<>(it.id(), it.slotsTaken()));
      return new AllocationOutcome.Unknown(failure);
    }
    provider.changeFree(it.pool(), asked);
    return switch (failure.kind()) {
      case CAPACITY -> {
        provider.changeFree(it.pool(), -provider.free(it.pool()));
        yield new AllocationOutcome.PoolExhausted(it.pool());
      }
      case CONFLICT -> new AllocationOutcome.LimitReached(failure.condition());
      case NOT_RUNNING -> new AllocationOutcome.InstanceNotRunning();
      default -> new AllocationOutcome.Refused(failure);
    };
  }

  @Override
  public CompletionStage<AllocationOutcome> createInterface(
      AllocationAction action, CallContext context) {
    return refused(
        Failure.Kind.CONFIGURATION, "a machine of this cloud has one fixed interface", context);
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateStaticAddress(
      Map<String, String> tags, CallContext context) {
    return refused(Failure.Kind.CONFIGURATION, "this cloud has no public addresses", context);
  }

  private static CompletionStage<AllocationOutcome> refused(
      Failure.Kind kind, String why, CallContext context) {
    context.giveBackToken();
    return CompletableFuture.completedStage(
        new AllocationOutcome.Refused(Failure.of(kind, "notPossible", why)));
  }

  @Override
  public ReleaseAction prepareIpRelease(int excess, AddressSet used) {
    return held().isEmpty()
        ? SURPLUS.nothing()
        : SURPLUS.byExcess(view().orElseThrow(), it -> true, excess, used);
  }

  @Override
  public List<ReleaseAction> prepareCidrRelease(Set<Cidr> cidrs) {
    return held().isEmpty() ? List.of() : SURPLUS.byCidr(view().orElseThrow(), it -> true, cidrs);
  }

  @Override
  public CompletionStage<ReleaseOutcome> release(ReleaseAction action, CallContext context) {
    return new AddressRelease<>(
            provider.inventory,
            machine,
            action,
            false,
            (addresses, blocks) ->
                provider.calls.call(
                    MachineCalls.REMOVE,
                    context,
                    attempt -> {
                      provider.api.remove(machine.text(), addresses);
                      return action.onInterface().orElseThrow();
                    }),
            freed -> action.pool().ifPresent(network -> provider.changeFree(network, freed)))
        .run();
  }

  @Override
  public OptionalInt maximumAllocatableIpv4() {
    return held().stream().mapToInt(FixedInterface::limit).findFirst();
  }

  @Override
  public int minimumAllocatableIpv4() {
    return 8;
  }

  @Override
  public boolean isPrefixDelegated() {
    return false;
  }
}
