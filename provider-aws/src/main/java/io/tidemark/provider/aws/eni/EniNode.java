package io.tidemark.provider.aws.eni;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.InterfaceNode;
import io.tidemark.provider.kit.InterfaceSection;
import io.tidemark.provider.kit.ReleasePlanner;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
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
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One node: plans are made here from the cache, by pure functions; what touches EC2 is {@link
 * EniChanges}'. Keeps nothing of the resource but its own section.
 */
final class EniNode extends InterfaceNode<AwsEni, EniSlots> {
  private static final String SECTION = "eni";

  /** Of interfaces with equally much to give the one of the highest index. */
  static final ReleasePlanner<AwsEni> RELEASES =
      new ReleasePlanner<>(
          Ec2Operation.UNASSIGN_PRIVATE_IP_ADDRESSES.kind(),
          Comparator.comparingInt(AwsEni::index));

  private final EniAccount account;
  private final Runnable repairMarks;
  private final NodeSettings settings;
  private final NodeUse use;
  private volatile EniSpec spec = EniSpec.EMPTY;
  private volatile Optional<Blocked> misfit = Optional.empty();
  private volatile Places places = Places.NONE;
  private volatile Ownership ownership = Ownership.NONE;
  private final InterfaceSection<AwsEni, EniStatus.Eni, EniStatus> section =
      new InterfaceSection<>(EniStatus::new, EniStatus::enis);

  private record Places(
      @Nullable EniSpec spec,
      @Nullable InstanceType type,
      OptionalInt learned,
      Optional<EniSlots> model) {
    static final Places NONE = new Places(null, null, OptionalInt.empty(), Optional.empty());
  }

  /** The owners of the interfaces, with the facts they follow from. */
  private record Ownership(List<AwsEni> interfaces, EniSpec spec, Optional<Blocked> other) {
    static final Ownership NONE = new Ownership(List.of(), EniSpec.EMPTY, Optional.empty());
  }

  /** {@code repairMarks} sees to the delete-on-termination marks of its interfaces. */
  EniNode(EniAccount account, Runnable repairMarks, NodeSettings settings, InstanceId instance) {
    super(account.state, RELEASES, instance);
    this.account = account;
    this.repairMarks = repairMarks;
    this.settings = settings;
    this.use = new NodeUse(account.scheduler.time());
  }

  /** Who adds to its interfaces, and which of them are leaving. */
  NodeUse use() {
    return use;
  }

  String name() {
    return settings.name();
  }

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
  List<AwsEni> withoutAddresses() {
    Optional<EniSlots> slots = slots();
    return slots.isEmpty()
            || slots.get().primaryUsable()
            || settings.referenceCompatible()
            || untouchable().isPresent()
            || account.idle.contains(instance())
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
        ? AwsEni.primaryOf(interfaces())
            .flatMap(eni -> account.networks().subnet(eni.pool()))
            .map(AwsSubnet::vpcId)
        : Optional.of(spec.vpcId());
  }

  EniSpec spec() {
    return spec;
  }

  @Override
  protected Optional<Blocked> untouchable() {
    Optional<Blocked> wrong = misfit;
    return wrong.isPresent() ? wrong : ofOthers(interfaces(), spec);
  }

  /** Why the instance is not ours to touch; computed anew when its interfaces changed. */
  @SuppressWarnings("ReferenceEquality")
  private Optional<Blocked> ofOthers(List<AwsEni> interfaces, EniSpec now) {
    if (account.outside.contains(instance())) {
      return Optional.of(
          new Blocked(
              BlockedReason.NOT_SELECTED,
              instance() + " does not carry " + account.settings.scope().instanceTags()));
    }
    Ownership last = ownership;
    if (last.interfaces() != interfaces || last.spec() != now) {
      last = new Ownership(interfaces, now, account.owner.other(interfaces, now));
      ownership = last;
    }
    return last.other();
  }

  @Override
  protected Optional<Blocked> elsewhere() {
    return account.elsewhere(instance());
  }

  @Override
  protected String instanceType() {
    return spec.instanceType();
  }

  @Override
  protected boolean limitsPending() {
    return account.limits.isPending(spec.instanceType());
  }

  @Override
  protected String limitsAdvice() {
    return ", grant ec2:DescribeInstanceTypes or set aws-instance-limit-mapping";
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  protected Optional<EniSlots> slots() {
    EniSpec now = spec;
    InstanceType type = account.limits.find(now.instanceType()).orElse(null);
    OptionalInt learned =
        view()
            .map(view -> account.learned.of(instance(), view.interfaces()))
            .orElse(OptionalInt.empty());
    Places last = places;
    if (last.spec() != now || last.type() != type || !last.learned().equals(learned)) {
      Optional<EniSlots> model =
          type == null
              ? Optional.empty()
              : Optional.of(EniSlots.of(type, now, settings, account.settings, learned));
      last = new Places(now, type, learned, model);
      places = last;
    }
    return last.model();
  }

  /**
   * Interfaces that were made in a subnet which is not selected any more (provider-aws 12, {@code
   * retire-untagged-subnets}).
   */
  @Override
  protected Predicate<AwsEni> retired(EniSlots slots, List<AwsEni> attached) {
    if (!slots.settings().options().retireSubnets()) {
      return eni -> false;
    }
    OwnerTags owner = account.owner;
    SubnetSelector selector =
        SubnetSelector.of(
            slots.spec(), attached, account.networks(), owner.cluster(), slots.settings());
    return eni -> eni.index() > 0 && owner.created(eni.tags()) && selector.isDeselected(eni.pool());
  }

  /** Its primary address stays, and so do prefixes that are sticky. */
  @Override
  protected boolean drains(EniSlots slots, AwsEni retired) {
    return !slots.primaryUsable() && slots.gives(retired);
  }

  @Override
  public Object networks() {
    return account.networks();
  }

  @Override
  protected void updated(NodeResource resource) {
    spec = account.shared(resource.eniSpec().orElse(EniSpec.EMPTY));
    if (limitsPending()) {
      account.limits.find(spec.instanceType());
    }
    if (spec.usePrimaryAddress().orElse(false)) {
      account.primariesServe(name());
    }
    misfit =
        OtherClouds.blocked(resource, SECTION)
            .or(() -> SpecCheck.blocked(spec, account.settings.securityGroupsMax()));
  }

  @Override
  public NodeResource withProviderStatus(NodeResource resource) {
    return view().map(view -> resource.withEniStatus(section(view))).orElse(resource);
  }

  private EniStatus section(InstanceView<AwsEni> view) {
    boolean primary = spec.usePrimaryAddress().orElse(false);
    boolean trunks = account.settings.scope().trunks();
    Networks networks = account.networks();
    return section.of(
        view,
        networks,
        primary,
        eni ->
            eni.kind() == AwsEni.Kind.ORDINARY || (trunks && eni.kind() == AwsEni.Kind.TRUNK)
                ? Optional.of(eni.entry(primary && !eni.isOwn(), networks))
                : Optional.empty());
  }

  @Override
  public AllocationAction prepareIpAllocation() {
    use.wanted();
    return super.prepareIpAllocation();
  }

  @Override
  protected AllocationAction plan(EniSlots slots, InstanceView<AwsEni> view) {
    return rules(slots, view).planner().plan();
  }

  /**
   * One where {@code enable-ipv6-prefixes} is set and none is there, if every interface that a plan
   * may choose is in a subnet with IPv6.
   */
  @Override
  public int ipv6PrefixesMissing() {
    Optional<EniSlots> slots = slots();
    List<AwsEni> attached = interfaces();
    if (!account.settings.ipv6()
        || settings.referenceCompatible()
        || slots.isEmpty()
        || attached.stream().anyMatch(eni -> !eni.ipv6Prefixes().isEmpty())) {
      return 0;
    }
    Networks networks = account.networks();
    List<AwsEni> choices = attached.stream().filter(slots.get()::hasRoom).toList();
    boolean all =
        choices.stream()
            .allMatch(eni -> networks.subnet(eni.pool()).flatMap(AwsSubnet::ipv6).isPresent());
    return !choices.isEmpty() && all ? 1 : 0;
  }

  /** Plans what to add, from the known state. */
  EniRules rules(EniSlots slots, InstanceView<AwsEni> view) {
    Networks networks = account.networks();
    SubnetSelector selector =
        SubnetSelector.of(
            spec, view.interfaces(), networks, account.owner.cluster(), slots.settings());
    boolean ipv6Wanted =
        account.settings.ipv6()
            && view.interfaces().stream().allMatch(eni -> eni.ipv6Prefixes().isEmpty());
    return new EniRules(
        slots,
        use.forAdding(view, retired(slots, view.interfaces())),
        selector,
        account.pools.all(),
        ipv6Wanted);
  }

  /** Whether nothing is added to it any more, because its subnet is not selected. */
  boolean isRetired(AwsEni eni) {
    List<AwsEni> attached = interfaces();
    return slots()
        .filter(slots -> attached.contains(eni) && retired(slots, attached).test(eni))
        .isPresent();
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
  protected CompletionStage<CallResult<InterfaceId>> unassign(
      AwsEni eni, AddressSet singles, List<Cidr> prefixes, CallContext context) {
    return account.ec2.unassign(eni.id(), singles, prefixes, context);
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateStaticAddress(
      Map<String, String> tags, CallContext context) {
    return changes().associate(tags, context);
  }

  private EniChanges changes() {
    return new EniChanges(account, repairMarks, this);
  }
}
