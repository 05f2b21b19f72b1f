package io.tidemark.provider.mock;

import static io.tidemark.provider.mock.MockAccount.done;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.NoMetrics;
import io.tidemark.provider.kit.AddressRelease;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.ReleasePlanner;
import io.tidemark.provider.kit.StatusSection;
import io.tidemark.provider.kit.plan.AllocationPlanner;
import io.tidemark.provider.kit.plan.SlotModel;
import io.tidemark.provider.kit.pool.Ladder;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.provider.kit.step.AddressAssignment;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.InstanceTypes;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.OtherClouds;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * One node: plans are made here from the cache, by pure functions; what touches the cloud is handed
 * to a saga. Keeps nothing of the resource but its own section.
 */
final class MockNode implements NodeOperations {
  /** The section of the resource that says what it needs to know of the cloud. */
  private static final String SECTION = "eni";

  /** Of interfaces with equally much to give the one of smallest id. */
  private static final ReleasePlanner<Eni> RELEASES =
      new ReleasePlanner<>(
          CloudOperation.UNASSIGN_PRIVATE_IP_ADDRESSES.kind(),
          Comparator.comparing(Eni::id).reversed());

  private final MockAccount account;
  private final NodeSettings settings;
  private final InstanceId instance;
  private final Claims claims;
  private final NodeInventory known;
  private volatile EniSpec spec = EniSpec.EMPTY;
  private volatile Optional<Blocked> otherCloud = Optional.empty();
  private volatile boolean arrived;
  private final StatusSection<Eni, EniStatus.Eni, EniStatus> section =
      new StatusSection<>(EniStatus::new, EniStatus::enis);

  MockNode(
      MockAccount account,
      InstanceTypes types,
      NodeSettings settings,
      InstanceId instance,
      Claims claims) {
    this.claims = claims;
    this.account = account;
    this.settings = settings;
    this.instance = instance;
    this.known = new NodeInventory(account, types, settings, instance);
  }

  String name() {
    return settings.name();
  }

  /** Whether its interfaces shall go with the instance. */
  boolean deleteOnTermination() {
    return spec.deleteOnTermination().orElse(true);
  }

  /** Why the node must not be touched. */
  Optional<Blocked> untouchable() {
    Optional<Blocked> reason = otherCloud;
    return reason.isPresent() ? reason : claims.conflict(settings.name(), instance);
  }

  @Override
  public void updatedNode(NodeResource resource) {
    spec = account.shared(resource.eniSpec().orElse(EniSpec.EMPTY));
    known.updated(spec);
    otherCloud = OtherClouds.blocked(resource, SECTION);
    boolean waits = arrived && claims.conflict(settings.name(), instance).isPresent();
    if ((!arrived || waits) && otherCloud.isEmpty()) {
      arrived = true;
      claims.arrived(settings.name(), instance, resource);
    }
  }

  @Override
  public NodeResource withProviderStatus(NodeResource resource) {
    return account
        .inventory
        .find(instance)
        .map(view -> resource.withEniStatus(section(view)))
        .orElse(resource);
  }

  private EniStatus section(InstanceView<Eni> view) {
    boolean primary = primaryUsable();
    Networks networks = account.networks();
    return section.of(
        view, networks, primary, eni -> Optional.of(MockEntry.of(eni, primary, networks)));
  }

  @Override
  public Inventory inventory() {
    Optional<Blocked> reason = untouchable();
    return reason.isPresent() ? new Inventory.Untouchable(reason.get()) : known.inventory();
  }

  @Override
  public AllocationAction prepareIpAllocation() {
    Optional<InstanceView<Eni>> view = account.inventory.find(instance);
    Optional<MockSlots> slots = known.slots();
    Optional<Blocked> blocked = untouchable();
    if (blocked.isEmpty() && view.isEmpty()) {
      blocked = Optional.of(new Blocked(BlockedReason.INSTANCE_MISSING, instance.text()));
    }
    if (blocked.isEmpty() && slots.isEmpty()) {
      blocked =
          Optional.of(
              new Blocked(
                  BlockedReason.LIMITS_UNKNOWN, "instance type '" + spec.instanceType() + "'"));
    }
    if (blocked.isPresent()) {
      return AllocationAction.blocked(blocked.get(), 0);
    }
    InstanceView<Eni> now = view.orElseThrow();
    PoolChoice choice = PoolChoice.of(spec, now.interfaces(), account.pools);
    MockRules rules =
        new MockRules(slots.orElseThrow(), now.interfaces().size(), choice, account.pools.all());
    return new AllocationPlanner<>(
            slots.orElseThrow(), now, eni -> account.pools.find(eni.pool()), rules)
        .plan();
  }

  @Override
  public ReleaseAction prepareIpRelease(int excess, AddressSet used) {
    Optional<InstanceView<Eni>> view = account.inventory.find(instance);
    Optional<MockSlots> slots = known.slots();
    return untouchable().isPresent() || view.isEmpty() || slots.isEmpty()
        ? RELEASES.nothing()
        : RELEASES.byExcess(view.get(), slots.get()::gives, excess, used);
  }

  @Override
  public List<ReleaseAction> prepareCidrRelease(Set<Cidr> cidrs) {
    Optional<InstanceView<Eni>> view = account.inventory.find(instance);
    Optional<MockSlots> slots = known.slots();
    return untouchable().isPresent() || view.isEmpty() || slots.isEmpty()
        ? List.of()
        : RELEASES.byCidr(view.get(), slots.get()::usable, cidrs);
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateIps(
      AllocationAction action, CallContext context) {
    if (action.ipv6Prefixes() > 0) {
      return withoutIpv6(context);
    }
    Optional<InstanceView<Eni>> view = account.inventory.find(instance);
    Optional<MockSlots> slots = known.slots();
    Optional<Eni> eni = view.flatMap(now -> action.onInterface().flatMap(now::find));
    Optional<Pool<Subnet>> pool = eni.flatMap(found -> account.pools.find(found.pool()));
    if (untouchable().isPresent() || slots.isEmpty() || pool.isEmpty()) {
      return stale(context, "the interface of the plan is not known any more");
    }
    List<Rung<Subnet>> ladder =
        MockAccount.LADDER.onInterface(
            action.ipv4(), pool.get(), slots.get().freeSlots(eni.orElseThrow()));
    InterfaceId id = eni.orElseThrow().id();
    return new AddressAssignment<>(
            account.inventory,
            account.pools,
            MockAccount.FAILURES,
            NoMetrics.INTERFACES,
            (Rung<Subnet> rung) -> account.api.assign(id, rung.singles(), rung.blocks(), context))
        .run(instance, eni.orElseThrow(), ladder, context);
  }

  @Override
  public CompletionStage<AllocationOutcome> createInterface(
      AllocationAction action, CallContext context) {
    if (action.ipv6Prefixes() > 0) {
      return withoutIpv6(context);
    }
    Optional<InstanceView<Eni>> view = account.inventory.find(instance);
    Optional<MockSlots> slots = known.slots();
    if (untouchable().isPresent() || slots.isEmpty() || view.isEmpty()) {
      return stale(context, "the instance of the plan is not known any more");
    }
    List<Eni> attached = view.get().interfaces();
    OptionalInt index = slots.get().firstFreeIndex(attached);
    if (index.isEmpty() || slots.get().emptySlots(attached) <= 0) {
      context.giveBackToken();
      return done(new AllocationOutcome.LimitReached("outOfInterfaces"));
    }
    List<Pool<Subnet>> eligible =
        PoolChoice.of(spec, attached, account.pools)
            .eligible(account.pools.all(), slots.get().type().addressesPerInterface());
    CreationTarget target =
        new CreationTarget(
            instance,
            slots.get(),
            attached,
            index.getAsInt(),
            SecurityGroupChoice.of(spec, view.get(), account.securityGroups),
            deleteOnTermination());
    List<Rung<Subnet>> ladder =
        MockAccount.LADDER.onNewInterface(
            action.ipv4(),
            eligible,
            new Ladder.NewInterface(
                slots.get().type().slots(),
                slots.get().primaryUsable(),
                slots.get().delegated(attached)),
            pool -> false);
    return new InterfaceCreation(account, target, ladder, context).run();
  }

  @Override
  public CompletionStage<ReleaseOutcome> release(ReleaseAction action, CallContext context) {
    Optional<Eni> eni =
        account.inventory.find(instance).flatMap(view -> action.onInterface().flatMap(view::find));
    if (untouchable().isPresent() || eni.isEmpty() || action.isEmpty()) {
      context.giveBackToken();
      return done(
          new ReleaseOutcome.NothingReleased(
              Failure.of(
                  Failure.Kind.CONFLICT, "stalePlan", "nothing of the plan is known any more")));
    }
    InterfaceId id = eni.get().id();
    PoolId pool = eni.get().pool();
    return new AddressRelease<>(
            account.inventory,
            instance,
            action,
            (singles, blocks) -> account.api.unassign(id, singles, blocks, context),
            addresses -> account.pools.gave(pool, addresses))
        .run();
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateStaticAddress(
      Map<String, String> tags, CallContext context) {
    Optional<Eni> primary = Eni.at(0, interfaces());
    return untouchable().isPresent() || primary.isEmpty()
        ? stale(context, "the primary interface is not known")
        : new StaticAddressBinding(account, instance, primary.get(), context).run(tags);
  }

  @Override
  public OptionalInt maximumAllocatableIpv4() {
    Optional<MockSlots> slots = known.slots();
    return slots.isEmpty() ? OptionalInt.empty() : slots.get().ceiling(interfaces());
  }

  @Override
  public int minimumAllocatableIpv4() {
    return known.slots().map(MockSlots::preAllocateDefault).orElse(SlotModel.PRE_ALLOCATE);
  }

  @Override
  public boolean isPrefixDelegated() {
    return known.slots().map(model -> model.delegated(interfaces())).orElse(false);
  }

  private List<Eni> interfaces() {
    return account.inventory.find(instance).map(InstanceView::interfaces).orElse(List.of());
  }

  private boolean primaryUsable() {
    return spec.usePrimaryAddress().orElse(false);
  }

  private static CompletionStage<AllocationOutcome> stale(CallContext context, String detail) {
    return refused(context, Failure.of(Failure.Kind.CONFLICT, "stalePlan", detail));
  }

  private static CompletionStage<AllocationOutcome> withoutIpv6(CallContext context) {
    return refused(
        context,
        Failure.of(
            Failure.Kind.CONFIGURATION, "noIpv6Prefixes", "the mock cloud has no IPv6 prefixes"));
  }

  private static CompletionStage<AllocationOutcome> refused(CallContext context, Failure failure) {
    context.giveBackToken();
    return done(new AllocationOutcome.Refused(failure));
  }
}
