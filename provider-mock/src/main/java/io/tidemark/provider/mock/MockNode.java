package io.tidemark.provider.mock;

import static io.tidemark.provider.mock.MockAccount.done;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.InterfaceNode;
import io.tidemark.provider.kit.InterfaceSection;
import io.tidemark.provider.kit.ReleasePlanner;
import io.tidemark.provider.kit.plan.AllocationPlanner;
import io.tidemark.provider.kit.pool.Ladder;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.provider.kit.step.AddressAssignment;
import io.tidemark.provider.kit.step.InterfaceCreation;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.InstanceType;
import io.tidemark.provider.mock.cloud.InstanceTypes;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.OtherClouds;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One node: plans are made here from the cache, by pure functions; what touches the cloud is handed
 * to a saga. Keeps nothing of the resource but its own section.
 */
final class MockNode extends InterfaceNode<MockInterface, MockSlots> {
  /** The section of the resource that says what it needs to know of the cloud. */
  private static final String SECTION = "eni";

  /** Of interfaces with equally much to give the one of smallest id. */
  private static final ReleasePlanner<MockInterface> RELEASES =
      new ReleasePlanner<>(
          CloudOperation.UNASSIGN_PRIVATE_IP_ADDRESSES.kind(),
          Comparator.comparing(MockInterface::id).reversed());

  private final MockAccount account;
  private final InstanceTypes types;
  private final NodeSettings settings;
  private final Claims claims;
  private volatile EniSpec spec = EniSpec.EMPTY;
  private volatile Optional<Blocked> otherCloud = Optional.empty();
  private volatile boolean arrived;
  private volatile Slots slots = Slots.NONE;
  private final InterfaceSection<MockInterface, EniStatus.Eni, EniStatus> section =
      new InterfaceSection<>(EniStatus::new, EniStatus::enis);

  /** The places with the section of the resource that they were computed from. */
  private record Slots(@Nullable EniSpec spec, Optional<MockSlots> model) {
    static final Slots NONE = new Slots(null, Optional.empty());
  }

  MockNode(
      MockAccount account,
      InstanceTypes types,
      NodeSettings settings,
      InstanceId instance,
      Claims claims) {
    super(account.state, RELEASES, instance);
    this.account = account;
    this.types = types;
    this.settings = settings;
    this.claims = claims;
  }

  String name() {
    return settings.name();
  }

  /** Whether its interfaces shall go with the instance. */
  boolean deleteOnTermination() {
    return spec.deleteOnTermination().orElse(true);
  }

  @Override
  protected Optional<Blocked> untouchable() {
    Optional<Blocked> reason = otherCloud;
    return reason.isPresent() ? reason : claims.conflict(settings.name(), instance());
  }

  @Override
  protected String instanceType() {
    return spec.instanceType();
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  protected Optional<MockSlots> slots() {
    EniSpec now = spec;
    Slots last = slots;
    if (last.spec() != now) {
      Optional<InstanceType> type = types.find(now.instanceType());
      last = new Slots(now, type.map(found -> MockSlots.of(found, now, settings)));
      slots = last;
    }
    return last.model();
  }

  @Override
  protected void updated(NodeResource resource) {
    spec = account.shared(resource.eniSpec().orElse(EniSpec.EMPTY));
    otherCloud = OtherClouds.blocked(resource, SECTION);
    boolean waits = arrived && claims.conflict(settings.name(), instance()).isPresent();
    if ((!arrived || waits) && otherCloud.isEmpty()) {
      arrived = true;
      claims.arrived(settings.name(), instance(), resource);
    }
  }

  @Override
  public NodeResource withProviderStatus(NodeResource resource) {
    return view().map(view -> resource.withEniStatus(section(view))).orElse(resource);
  }

  private EniStatus section(InstanceView<MockInterface> view) {
    boolean primary = primaryUsable();
    MockNetworks networks = account.networks();
    return section.of(
        view,
        networks,
        primary,
        eni -> Optional.of(MockEntry.of(eni, primary && eni.index() > 0, networks)));
  }

  @Override
  protected AllocationAction plan(MockSlots places, InstanceView<MockInterface> view) {
    PoolChoice choice = PoolChoice.of(spec, view.interfaces(), account.pools);
    MockRules rules = new MockRules(places, view.interfaces().size(), choice, account.pools.all());
    return new AllocationPlanner<>(places, view, eni -> account.pools.find(eni.pool()), rules)
        .plan();
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateIps(
      AllocationAction action, CallContext context) {
    if (action.ipv6Prefixes() > 0) {
      return withoutIpv6(context);
    }
    Optional<MockSlots> places = slots();
    Optional<MockInterface> eni = find(action.onInterface());
    Optional<Pool<Subnet>> pool = eni.flatMap(found -> account.pools.find(found.pool()));
    if (untouchable().isPresent() || places.isEmpty() || pool.isEmpty()) {
      return stale(context, "the interface of the plan is not known any more");
    }
    List<Rung<Subnet>> ladder =
        MockAccount.LADDER.onInterface(
            action.ipv4(), pool.get(), places.get().freeSlots(eni.orElseThrow()));
    InterfaceId id = eni.orElseThrow().id();
    return new AddressAssignment<>(
            account.state,
            (Rung<Subnet> rung) -> account.api.assign(id, rung.singles(), rung.blocks(), context))
        .run(instance(), eni.orElseThrow(), ladder, context);
  }

  @Override
  public CompletionStage<AllocationOutcome> createInterface(
      AllocationAction action, CallContext context) {
    if (action.ipv6Prefixes() > 0) {
      return withoutIpv6(context);
    }
    Optional<InstanceView<MockInterface>> view = view();
    Optional<MockSlots> places = slots();
    if (untouchable().isPresent() || places.isEmpty() || view.isEmpty()) {
      return stale(context, "the instance of the plan is not known any more");
    }
    List<MockInterface> attached = view.get().interfaces();
    OptionalInt index = places.get().firstFreeIndex(attached);
    if (index.isEmpty() || places.get().emptySlots(attached) <= 0) {
      context.giveBackToken();
      return done(new AllocationOutcome.LimitReached("outOfInterfaces"));
    }
    List<Pool<Subnet>> eligible =
        PoolChoice.of(spec, attached, account.pools)
            .eligible(account.pools.all(), places.get().type().addressesPerInterface());
    List<Rung<Subnet>> ladder =
        MockAccount.LADDER.onNewInterface(
            action.ipv4(),
            eligible,
            new Ladder.NewInterface(
                places.get().type().slots(),
                places.get().primaryUsable(),
                places.get().delegated(attached)),
            pool -> false);
    InterfaceRequests requests =
        new InterfaceRequests(
            account,
            instance(),
            index.getAsInt(),
            SecurityGroupChoice.of(spec, view.get(), account.securityGroups),
            deleteOnTermination(),
            context);
    return new InterfaceCreation<>(
            account.state,
            new InterfaceCreation.Target<>(
                account.owner.cluster(), instance(), attached, places.get()),
            requests,
            ladder,
            context)
        .run();
  }

  @Override
  protected CompletionStage<CallResult<InterfaceId>> unassign(
      MockInterface eni, AddressSet singles, List<Cidr> blocks, CallContext context) {
    return account.api.unassign(eni.id(), singles, blocks, context);
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateStaticAddress(
      Map<String, String> tags, CallContext context) {
    Optional<MockInterface> primary = MockInterface.at(0, interfaces());
    return untouchable().isPresent() || primary.isEmpty()
        ? stale(context, "the primary interface is not known")
        : account.bindStaticAddress(instance(), primary.get(), tags, context);
  }

  private boolean primaryUsable() {
    return spec.usePrimaryAddress().orElse(false);
  }

  private static CompletionStage<AllocationOutcome> withoutIpv6(CallContext context) {
    return refused(
        context,
        Failure.of(
            Failure.Kind.CONFIGURATION, "noIpv6Prefixes", "the mock cloud has no IPv6 prefixes"));
  }
}
