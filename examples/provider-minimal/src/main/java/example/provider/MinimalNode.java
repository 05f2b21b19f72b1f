package example.provider;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.InterfaceNode;
import io.tidemark.provider.kit.ReleasePlanner;
import io.tidemark.provider.kit.plan.SlotModel;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.provider.kit.step.AddressAssignment;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.OtherClouds;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/** One machine. Plans are made from the cache; each change is one request. */
final class MinimalNode extends InterfaceNode<FixedInterface, MinimalNode.Places> {
  private static final ReleasePlanner<FixedInterface> RELEASES =
      new ReleasePlanner<>(MachineCalls.REMOVE, Comparator.comparing(FixedInterface::id));

  private final MinimalProvider provider;
  private volatile Optional<Blocked> otherCloud;

  /** The capacity of a machine: so many addresses on its one interface. */
  record Places(int slots) implements SlotModel<FixedInterface> {
    @Override
    public int interfacesMax(List<FixedInterface> attached) {
      return 1;
    }

    @Override
    public OptionalInt forPodsMax() {
      return OptionalInt.of(1);
    }

    @Override
    public int emptySlots(List<FixedInterface> attached) {
      return 0;
    }
  }

  MinimalNode(MinimalProvider provider, InstanceId machine, NodeResource resource) {
    super(provider.account, RELEASES, machine);
    this.provider = provider;
    this.otherCloud = OtherClouds.blocked(resource, MachineSectionJson.SECTION);
  }

  @Override
  protected void updated(NodeResource resource) {
    otherCloud = OtherClouds.blocked(resource, MachineSectionJson.SECTION);
  }

  @Override
  public NodeResource withProviderStatus(NodeResource resource) {
    return otherCloud.isPresent()
        ? resource
        : interfaces().stream()
            .findFirst()
            .map(it -> MachineSectionJson.write(resource, it))
            .orElse(resource);
  }

  @Override
  protected Optional<Blocked> untouchable() {
    return otherCloud;
  }

  @Override
  protected Optional<Places> slots() {
    return interfaces().stream().findFirst().map(it -> new Places(it.limit()));
  }

  @Override
  protected AllocationAction plan(Places places, InstanceView<FixedInterface> view) {
    FixedInterface it = view.interfaces().get(0);
    Optional<Blocked> blocked = blocked(places, it, view.doubtful());
    if (blocked.isPresent()) {
      return AllocationAction.blocked(blocked.get(), 0);
    }
    return new AllocationAction(
        Optional.of(it.id()),
        Optional.of(it.pool()),
        0,
        new AddressPlan(room(places, it), 0, OptionalInt.empty(), 1, 1),
        0,
        List.of(MachineCalls.ADD),
        Optional.empty());
  }

  private int room(Places places, FixedInterface it) {
    return Math.max(0, Math.min(places.freeSlots(it), provider.network(it.pool()).free()));
  }

  private Optional<Blocked> blocked(Places places, FixedInterface it, boolean doubtful) {
    if (doubtful) {
      return Optional.of(new Blocked(BlockedReason.READING_BACK, "an answer was lost"));
    }
    if (places.freeSlots(it) == 0) {
      return Optional.of(
          new Blocked(BlockedReason.ADDRESS_LIMIT, instance() + " holds " + it.limit()));
    }
    return room(places, it) > 0
        ? Optional.empty()
        : Optional.of(new Blocked(BlockedReason.SUBNET_EXHAUSTED, it.pool().text()));
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateIps(
      AllocationAction action, CallContext context) {
    if (action.ipv6Prefixes() > 0) {
      return notPossible(context, "this cloud has no IPv6 prefixes");
    }
    Optional<FixedInterface> held = find(action.onInterface());
    Optional<Places> places = slots();
    if (otherCloud.isPresent() || held.isEmpty() || places.isEmpty()) {
      return stale(context, "the interface of the plan is not known any more");
    }
    FixedInterface it = held.get();
    int count = Math.min(action.ipv4().singles(), room(places.get(), it));
    List<Rung<String>> ladder =
        count > 0
            ? List.of(new Rung<>(provider.network(it.pool()), 0, count, "singles"))
            : List.of();
    return new AddressAssignment<>(
            provider.account, (Rung<String> rung) -> add(it.id(), rung.singles(), context))
        .run(instance(), it, ladder, context);
  }

  private CompletionStage<CallResult<AttachedInterface>> add(
      InterfaceId id, int count, CallContext context) {
    return provider.calls.call(
        MachineCalls.ADD,
        context,
        attempt ->
            new AttachedInterface(id, provider.api.add(instance().text(), count), List.of()));
  }

  @Override
  public CompletionStage<AllocationOutcome> createInterface(
      AllocationAction action, CallContext context) {
    return notPossible(context, "a machine of this cloud has one fixed interface");
  }

  @Override
  protected CompletionStage<CallResult<InterfaceId>> unassign(
      FixedInterface it, AddressSet addresses, List<Cidr> blocks, CallContext context) {
    return provider.calls.call(
        MachineCalls.REMOVE,
        context,
        attempt -> {
          provider.api.remove(instance().text(), addresses);
          return it.id();
        });
  }
}
