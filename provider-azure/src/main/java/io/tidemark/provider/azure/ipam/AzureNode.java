package io.tidemark.provider.azure.ipam;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.network.ArmOperation;
import io.tidemark.provider.azure.network.AzureSubnet;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.InterfaceNode;
import io.tidemark.provider.kit.InterfaceSection;
import io.tidemark.provider.kit.ReleasePlanner;
import io.tidemark.provider.kit.plan.AllocationPlanner;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.OtherClouds;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One node on a virtual machine or an instance of a Uniform set (13.5): plans are made here from
 * the cache, by pure functions; what touches Azure is {@link AzureChanges}'. Keeps nothing of the
 * resource but its own section.
 */
final class AzureNode extends InterfaceNode<Nic, AzureSlots> {
  private static final ReleasePlanner<Nic> OF_INSTANCES = releases(ArmOperation.INSTANCE_UPDATE);
  private static final ReleasePlanner<Nic> OF_MACHINES = releases(ArmOperation.INTERFACE_UPDATE);

  private final AzureAccount account;
  private final NodeSettings settings;
  private final Optional<ResourceId> machine;
  private final boolean uniform;
  private final AzureChanges changes;
  private volatile AzureSpecJson spec = AzureSpecJson.EMPTY;

  /** Addresses by interface, as the resource showed them before the first read. */
  private volatile Map<String, AddressSet> published = Map.of();

  private volatile Optional<Blocked> misfit = Optional.empty();
  private final InterfaceSection<Nic, AzureStatus.Interface, AzureStatus> section =
      new InterfaceSection<>(AzureStatus::new, AzureStatus::interfaces);

  /** Of interfaces with equally much to give the one of smallest id. */
  private static ReleasePlanner<Nic> releases(ArmOperation firstCall) {
    return new ReleasePlanner<>(firstCall.kind(), Comparator.comparing(Nic::id).reversed());
  }

  AzureNode(AzureAccount account, NodeSettings settings, InstanceId instance) {
    super(account.state, isUniform(instance) ? OF_INSTANCES : OF_MACHINES, instance);
    this.account = account;
    this.settings = settings;
    this.machine = ResourceId.machine(instance.text());
    this.uniform = isUniform(instance);
    this.changes = new AzureChanges(account, instance, uniform);
  }

  private static boolean isUniform(InstanceId instance) {
    return ResourceId.machine(instance.text()).filter(ResourceId::isUniformInstance).isPresent();
  }

  @Override
  protected Optional<Blocked> untouchable() {
    return misfit;
  }

  @Override
  protected String instanceType() {
    return "";
  }

  @Override
  protected Optional<AzureSlots> slots() {
    return Optional.of(
        AzureSlots.of(
            spec,
            settings,
            account.settings.usePrimaryAddress(),
            !uniform || account.blocksOnScaleSets(),
            interfaces()));
  }

  @Override
  public Object networks() {
    return account.subnets.known();
  }

  @Override
  protected void updated(NodeResource resource) {
    spec = AzureSpecJson.of(resource);
    if (view().isEmpty()) {
      AzureStatus status = resource.azureStatus().orElse(AzureStatus.EMPTY);
      rememberSpellings(status);
      published = status.addressesByInterface();
    } else {
      published = Map.of();
    }
    misfit = OtherClouds.blocked(resource, AzureSpecJson.SECTION).or(this::outside);
  }

  /** The addresses of an interface that the resource showed before the first read. */
  AddressSet published(ResourceId networkInterface) {
    return published.getOrDefault(
        account.spellings.first(networkInterface.text()), AddressSet.of());
  }

  private void rememberSpellings(AzureStatus status) {
    for (AzureStatus.Interface each : status.interfaces().values()) {
      account.spellings.first(each.id());
      if (!each.subnetId().isEmpty()) {
        account.spellings.first(each.subnetId());
      }
    }
  }

  private Optional<Blocked> outside() {
    return machine
        .map(account.settings.fence()::blocked)
        .orElseGet(
            () ->
                Optional.of(
                    new Blocked(
                        BlockedReason.INVALID_RESOURCE,
                        "spec.instance-id is '" + instance() + "', which is not a machine id")));
  }

  @Override
  public NodeResource withProviderStatus(NodeResource resource) {
    return view().map(view -> resource.withAzureStatus(section(view))).orElse(resource);
  }

  private AzureStatus section(InstanceView<Nic> view) {
    boolean parity = settings.referenceCompatible();
    boolean primary = account.settings.usePrimaryAddress();
    String wanted = spec.interfaceName();
    Optional<InterfaceId> own = Nic.ownOf(view.interfaces()).map(Nic::id);
    return section.of(
        view,
        account.subnets.known(),
        List.of(wanted, own),
        nic ->
            parity || wanted.isEmpty() || wanted.equals(nic.name())
                ? Optional.of(
                    nic.shown(
                        primary && own.filter(nic.id()::equals).isEmpty(),
                        account.subnets.find(nic.pool()),
                        parity))
                : Optional.empty());
  }

  @Override
  protected AllocationAction plan(AzureSlots slots, InstanceView<Nic> view) {
    if (account.isUnderWay(instance())) {
      return AllocationAction.blocked(
          new Blocked(BlockedReason.READING_BACK, "an operation of Azure has not ended"), 0);
    }
    AzureRules rules =
        new AzureRules(
            slots,
            view.interfaces(),
            (uniform ? ArmOperation.INSTANCE_UPDATE : ArmOperation.INTERFACE_UPDATE).kind());
    return new AllocationPlanner<>(slots, view, nic -> account.pools.find(nic.pool()), rules)
        .plan();
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateIps(
      AllocationAction action, CallContext context) {
    if (action.ipv6Prefixes() > 0) {
      return unsupported(context, "Azure has no IPv6 prefixes for pods");
    }
    Optional<Nic> nic = find(action.onInterface());
    Optional<Pool<Optional<AzureSubnet>>> pool =
        nic.flatMap(each -> account.pools.find(each.pool()));
    if (untouchable().isPresent() || pool.isEmpty() || account.isUnderWay(instance())) {
      return stale(context, "the interface of the plan is not known any more");
    }
    int free = slots().orElseThrow().freeSlots(nic.orElseThrow());
    return changes.add(
        nic.orElseThrow(),
        AzureAccount.LADDER.onInterface(action.ipv4(), pool.get(), free),
        context);
  }

  @Override
  public CompletionStage<AllocationOutcome> createInterface(
      AllocationAction action, CallContext context) {
    return unsupported(
        context, "an interface can be attached to a machine that is deallocated only");
  }

  @Override
  protected boolean unassignsTogether() {
    return true;
  }

  @Override
  protected CompletionStage<CallResult<InterfaceId>> unassign(
      Nic nic, AddressSet singles, List<Cidr> blocks, CallContext context) {
    return changes.remove(nic, singles, blocks, context);
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateStaticAddress(
      Map<String, String> tags, CallContext context) {
    Optional<Nic> own = view().flatMap(now -> Nic.ownOf(now.interfaces()));
    return untouchable().isPresent() || own.isEmpty() || account.isUnderWay(instance())
        ? stale(context, "no primary interface is known")
        : changes.bindPublicAddress(own.get(), tags, context);
  }

  private static CompletionStage<AllocationOutcome> unsupported(
      CallContext context, String detail) {
    return refused(context, Failure.of(Failure.Kind.CONFIGURATION, "unsupported", detail));
  }
}
