package io.tidemark.provider.aws.eni;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.Subnet;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.ReleasePlanner;
import io.tidemark.provider.kit.StatusSection;
import io.tidemark.provider.kit.plan.SlotModel;
import io.tidemark.provider.kit.step.InterfaceRepair;
import io.tidemark.resilience.CallContext;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.OtherClouds;
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
 * One node: plans are made here from the cache, by pure functions; what touches EC2 is {@link
 * EniChanges}'. Keeps nothing of the resource but its own section.
 */
final class EniNode implements NodeOperations {
  private static final String SECTION = "eni";

  /** Of interfaces with equally much to give the one of the highest index. */
  static final ReleasePlanner<Eni> RELEASES =
      new ReleasePlanner<>(
          Ec2Operation.UNASSIGN_PRIVATE_IP_ADDRESSES.kind(), Comparator.comparingInt(Eni::index));

  private final EniAccount account;
  private final InterfaceRepair<Eni> repair;
  private final NodeSettings settings;
  private final InstanceId instance;
  private final NodeInventory known;
  private final NodeOwners owners;
  private final NodeUse use;
  private volatile EniSpec spec = EniSpec.EMPTY;
  private volatile Optional<Blocked> misfit = Optional.empty();
  private final StatusSection<Eni, EniStatus.Eni, EniStatus> section =
      new StatusSection<>(EniStatus::new, EniStatus::enis);

  EniNode(
      EniAccount account, InterfaceRepair<Eni> repair, NodeSettings settings, InstanceId instance) {
    this.account = account;
    this.repair = repair;
    this.settings = settings;
    this.instance = instance;
    this.known = new NodeInventory(account, settings, instance);
    this.owners = new NodeOwners(account, instance);
    this.use = new NodeUse(account.scheduler.time());
  }

  InstanceId instance() {
    return instance;
  }

  /** Who adds to its interfaces, and which of them are leaving. */
  NodeUse use() {
    return use;
  }

  String name() {
    return settings.name();
  }

  /** Whether its interfaces shall go with the instance. */
  boolean deleteOnTermination() {
    return spec.deleteOnTermination().orElse(true);
  }

  boolean selectsGroupsByTags() {
    return !spec.securityGroupTags().isEmpty();
  }

  /**
   * Interfaces above the instance's own that hold nothing and could serve pods; none while anything
   * about the node is in doubt, and where primary addresses serve pods.
   */
  List<Eni> withoutAddresses() {
    Optional<EniSlots> slots = known.slots();
    return slots.isEmpty()
            || slots.get().primaryUsable()
            || settings.referenceCompatible()
            || untouchable().isPresent()
            || account.idle.contains(instance)
            || view().map(InstanceView::doubtful).orElse(true)
        ? List.of()
        : interfaces().stream()
            .filter(eni -> eni.index() > 0 && eni.isBare() && slots.get().usable(eni))
            .toList();
  }

  /** The security groups that its interfaces shall have, ascending; empty when in doubt. */
  List<String> certainGroups() {
    List<String> groups =
        SecurityGroupSelector.forExisting(
            spec, interfaces(), vpcId().orElse(""), account.securityGroups);
    return groups.size() > account.settings.securityGroupsMax() ? List.of() : groups;
  }

  /** The VPC it is in: as its section says, else that of its own interface. */
  Optional<String> vpcId() {
    return spec.vpcId().isEmpty()
        ? Eni.primaryOf(interfaces())
            .flatMap(eni -> account.networks().subnet(eni.pool()))
            .map(Subnet::vpcId)
        : Optional.of(spec.vpcId());
  }

  /** The places that it has; empty while the limits of its type are not known. */
  Optional<EniSlots> slots() {
    return known.slots();
  }

  /** Its own section of the resource. */
  EniSpec spec() {
    return spec;
  }

  /** Why the node must not be touched. */
  Optional<Blocked> untouchable() {
    Optional<Blocked> wrong = misfit;
    return wrong.isPresent() ? wrong : owners.forbid(interfaces(), spec);
  }

  @Override
  public void updatedNode(NodeResource resource) {
    spec = account.shared(resource.eniSpec().orElse(EniSpec.EMPTY));
    misfit =
        OtherClouds.blocked(resource, SECTION)
            .or(() -> SpecCheck.blocked(spec, account.settings.securityGroupsMax()));
    known.updated(spec);
  }

  @Override
  public NodeResource withProviderStatus(NodeResource resource) {
    return view().map(view -> resource.withEniStatus(section(view))).orElse(resource);
  }

  private EniStatus section(InstanceView<Eni> view) {
    boolean primary = spec.usePrimaryAddress().orElse(false);
    boolean trunks = account.settings.scope().trunks();
    Networks networks = account.networks();
    return section.of(
        view,
        networks,
        primary,
        eni ->
            eni.kind() == Eni.Kind.ORDINARY || (trunks && eni.kind() == Eni.Kind.TRUNK)
                ? Optional.of(EniEntry.of(eni, primary, networks))
                : Optional.empty());
  }

  @Override
  public Inventory inventory() {
    Optional<Blocked> blocked = untouchable();
    return blocked.isPresent() ? new Inventory.Untouchable(blocked.get()) : known.inventory();
  }

  @Override
  public AllocationAction prepareIpAllocation() {
    use.wanted();
    Optional<InstanceView<Eni>> view = view();
    Optional<EniSlots> slots = known.slots();
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
    return blocked.isPresent()
        ? AllocationAction.blocked(blocked.get(), 0)
        : rules(slots.orElseThrow(), view.orElseThrow()).planner().plan();
  }

  /** Plans what is added, from what is known now. */
  EniRules rules(EniSlots slots, InstanceView<Eni> view) {
    Networks networks = account.networks();
    SubnetSelector selector =
        SubnetSelector.of(
            spec, view.interfaces(), networks, account.owner.cluster(), slots.settings());
    boolean ipv6Wanted =
        account.settings.ipv6()
            && view.interfaces().stream().allMatch(eni -> eni.ipv6Prefixes().isEmpty());
    return new EniRules(
        slots,
        use.forAdding(view, Retirement.of(account.owner, slots, view.interfaces(), networks)),
        selector,
        account.pools.all(),
        ipv6Wanted);
  }

  @Override
  public ReleaseAction prepareIpRelease(int excess, AddressSet used) {
    Optional<InstanceView<Eni>> view = view();
    Optional<EniSlots> slots = known.slots();
    return untouchable().isPresent() || view.isEmpty() || slots.isEmpty()
        ? RELEASES.nothing()
        : release(slots.get(), view.get(), excess, used);
  }

  private List<Eni> retired(EniSlots slots, List<Eni> interfaces) {
    return interfaces.stream()
        .filter(Retirement.of(account.owner, slots, interfaces, account.networks()))
        .toList();
  }

  /** Whether nothing is added to it any more, because its subnet is not selected. */
  boolean isRetired(Eni eni) {
    return known.slots().map(slots -> retired(slots, interfaces()).contains(eni)).orElse(false);
  }

  /** What is in subnets that are not selected any more goes first. */
  private ReleaseAction release(
      EniSlots slots, InstanceView<Eni> view, int excess, AddressSet used) {
    List<Eni> retired = retired(slots, view.interfaces());
    if (retired.isEmpty()) {
      return RELEASES.byExcess(view, slots::gives, excess, used);
    }
    ReleaseAction first =
        RELEASES.byExcess(
            new InstanceView<>(view.generation(), retired, view.doubtful()),
            slots::gives,
            excess,
            used);
    return first.isEmpty() ? RELEASES.byExcess(view, slots::gives, excess, used) : first;
  }

  @Override
  public List<ReleaseAction> prepareCidrRelease(Set<Cidr> cidrs) {
    Optional<InstanceView<Eni>> view = view();
    Optional<EniSlots> slots = known.slots();
    return untouchable().isPresent() || view.isEmpty() || slots.isEmpty()
        ? List.of()
        : RELEASES.byCidr(view.get(), slots.get()::usable, cidrs);
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateIps(
      AllocationAction action, CallContext context) {
    return use.adding(() -> changes().allocate(action, context));
  }

  @Override
  public CompletionStage<AllocationOutcome> createInterface(
      AllocationAction action, CallContext context) {
    return use.adding(() -> changes().create(action, context));
  }

  @Override
  public CompletionStage<ReleaseOutcome> release(ReleaseAction action, CallContext context) {
    return changes().release(action, context);
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateStaticAddress(
      Map<String, String> tags, CallContext context) {
    return changes().associate(tags, context);
  }

  private EniChanges changes() {
    return new EniChanges(account, repair, this);
  }

  @Override
  public OptionalInt maximumAllocatableIpv4() {
    Optional<EniSlots> slots = known.slots();
    return slots.isEmpty() ? OptionalInt.empty() : slots.get().ceiling(interfaces());
  }

  @Override
  public int minimumAllocatableIpv4() {
    return known.slots().map(EniSlots::preAllocateDefault).orElse(SlotModel.PRE_ALLOCATE);
  }

  @Override
  public boolean isPrefixDelegated() {
    return known.slots().map(model -> model.delegated(interfaces())).orElse(false);
  }

  /** What is known of the instance; empty when nothing is. */
  Optional<InstanceView<Eni>> view() {
    return account.inventory.find(instance);
  }

  private List<Eni> interfaces() {
    return view().map(InstanceView::interfaces).orElse(List.of());
  }
}
