package io.tidemark.provider.mock;

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
import io.tidemark.provider.mock.cloud.MockInterface;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One node: plans come from the cache, by pure functions; steps of provider-kit change the cloud.
 * Keeps nothing of the resource but its own section.
 */
final class MockNode extends InterfaceNode<MockInterface, MockSlots> {
  /** Of interfaces with equally much to give the one of smallest id. */
  private static final ReleasePlanner<MockInterface> RELEASES =
      new ReleasePlanner<>(
          CloudOperation.UNASSIGN_ADDRESSES.kind(),
          Comparator.comparing(MockInterface::id).reversed());

  private static final Ladder LADDER = new Ladder(false);

  private final MockAllocation account;
  private final NodeSettings settings;
  private volatile Optional<Blocked> otherCloud = Optional.empty();
  private volatile MockSlots slots;
  private final InterfaceSection<MockInterface, EniStatus.Eni, EniStatus> section =
      new InterfaceSection<>(EniStatus::new, EniStatus::enis);

  MockNode(MockAllocation account, NodeSettings settings, InstanceId instance) {
    super(account.state, RELEASES, instance);
    this.account = account;
    this.settings = settings;
    this.slots = slots(EniSpec.EMPTY);
  }

  private MockSlots slots(EniSpec spec) {
    return new MockSlots(account.cloud.settings().limits(spec.instanceType()), spec, settings);
  }

  @Override
  protected Optional<Blocked> untouchable() {
    return otherCloud.or(() -> account.adoption.refusal(settings.name()));
  }

  @Override
  protected Optional<MockSlots> slots() {
    return Optional.of(slots);
  }

  @Override
  protected void updated(NodeResource resource) {
    slots = slots(resource.eniSpec().orElse(EniSpec.EMPTY));
    otherCloud = OtherClouds.blocked(resource, "eni");
    if (otherCloud.isEmpty()) {
      account.adoption.arrived(settings.name(), instance(), resource);
    }
  }

  @Override
  public NodeResource withProviderStatus(NodeResource resource) {
    MockSlots places = slots;
    List<Object> options = List.of(places.primaryUsable(), account.state.pools().all().size());
    return view()
        .map(view -> section.of(view, account, options, each -> Optional.of(entry(each, places))))
        .map(resource::withEniStatus)
        .orElse(resource);
  }

  /** An attached interface as an agent in ENI mode reads it. */
  private EniStatus.Eni entry(MockInterface each, MockSlots places) {
    Optional<MockSubnet> subnet = account.pool(each).map(Pool::subnet);
    List<Cidr> network = subnet.map(MockSubnet::networkCidrs).orElse(List.of());
    return new EniStatus.Eni(
        each.id().text(),
        each.fixed().primary(),
        each.fixed().mac(),
        subnet.map(MockSubnet::zone).orElse(""),
        each.fixed().description(),
        each.index(),
        new EniStatus.SubnetRef(each.pool().text(), subnet.map(MockSubnet::cidr)),
        new EniStatus.VpcRef(
            subnet.map(MockSubnet::networkId).orElse(""),
            network.stream().findFirst(),
            network.stream().skip(1).toList()),
        InterfaceSection.addresses(each, places.primaryServes(each)),
        each.prefixes(),
        each.ipv6Prefixes(),
        each.publicAddress(),
        each.fixed().securityGroups(),
        each.fixed().tags());
  }

  @Override
  protected AllocationAction plan(MockSlots places, InstanceView<MockInterface> view) {
    MockRules rules = new MockRules(places, view.interfaces(), account.state.pools());
    return new AllocationPlanner<>(places, view, account::pool, rules).plan();
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateIps(
      AllocationAction action, CallContext context) {
    Optional<MockInterface> on = find(action.onInterface());
    Optional<Pool<MockSubnet>> pool = on.flatMap(account::pool);
    if (action.ipv6Prefixes() > 0 || untouchable().isPresent() || pool.isEmpty()) {
      return outdated(action, context);
    }
    MockInterface each = on.orElseThrow();
    return new AddressAssignment<>(
            account.state,
            (Rung<MockSubnet> rung) ->
                account.send(
                    CloudOperation.ASSIGN_ADDRESSES,
                    each.id().text(),
                    context,
                    cloud -> cloud.assign(each.id(), rung.singles(), rung.blocks())))
        .run(
            instance(),
            each,
            LADDER.onInterface(action.ipv4(), pool.get(), slots.freeSlots(each)),
            context);
  }

  @Override
  public CompletionStage<AllocationOutcome> createInterface(
      AllocationAction action, CallContext context) {
    MockSlots places = slots;
    List<MockInterface> attached = interfaces();
    if (action.ipv6Prefixes() > 0 || untouchable().isPresent() || attached.isEmpty()) {
      return outdated(action, context);
    }
    if (places.emptySlots(attached) <= 0) {
      context.giveBackToken();
      return CompletableFuture.completedStage(
          new AllocationOutcome.LimitReached("outOfInterfaces"));
    }
    List<Rung<MockSubnet>> ladder =
        LADDER.onNewInterface(
            action.ipv4(),
            new MockRules(places, attached, account.state.pools()).eligible(),
            new Ladder.NewInterface(
                places.slots(), places.primaryUsable(), places.delegated(attached)),
            pool -> false);
    return new InterfaceCreation<>(
            account.state,
            new InterfaceCreation.Target<>(account.cluster, instance(), attached, places),
            new MockCreation(account, instance(), attached, places, context),
            ladder,
            context)
        .run();
  }

  @Override
  protected CompletionStage<CallResult<InterfaceId>> unassign(
      MockInterface each, AddressSet singles, List<Cidr> blocks, CallContext context) {
    return account.send(
        CloudOperation.UNASSIGN_ADDRESSES,
        each.id().text(),
        context,
        cloud -> cloud.unassign(each.id(), singles, blocks));
  }

  private static CompletionStage<AllocationOutcome> outdated(
      AllocationAction action, CallContext context) {
    return action.ipv6Prefixes() == 0
        ? stale(context, "the interface of the plan is not known any more")
        : notPossible(context, "the mock cloud has no IPv6 prefixes");
  }
}
