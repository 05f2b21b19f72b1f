package io.tidemark.node;

import io.tidemark.cluster.PodObserver;
import io.tidemark.demand.DemandWatermarks;
import io.tidemark.demand.GrowthKind;
import io.tidemark.demand.NodeSpare;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Metric;
import io.tidemark.node.ResourceFacts.AgentKind;
import io.tidemark.node.exhaustion.AddressSupply;
import io.tidemark.node.exhaustion.ExhaustedNodes;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.ReleaseAction;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The basis of decisions about one node: the resource's facts, the last inventory, the release
 * handshake (node-manager 3.7, 4.5). Plans nothing and changes nothing outside itself. Confined to
 * the node's lane, but for {@link #snapshot} and {@link #clusterIsCurrent}.
 */
final class NodeView {
  private final String name;
  private final NodeEnvironment environment;
  private final NodeOperations operations;
  private final String group;
  private final Optional<NodeSpare> spare;
  private final PodObserver pods;
  private final Optional<ExhaustedNodes.Member> exhaustion;
  private ResourceFacts facts;
  private AgentKind kind;

  /** The agents' fields in the last version that the watch delivered. */
  private AgentKind.Words delivered;

  private AddressSet offered;
  private ReleaseHandshake handshake = ReleaseHandshake.UNADOPTED;
  private CidrRelease cidrs = CidrRelease.UNSEEDED;
  private CidrRelease.OfferNotTaken untaken = CidrRelease.OfferNotTaken.NONE;
  private long untakenReported;
  private volatile @Nullable NodeSnapshot snapshot;
  private boolean hadAddresses;
  private volatile boolean sawClosed;
  private volatile boolean beingDeleted;

  NodeView(NodeParts node, NodeResource resource) {
    this.name = node.name();
    this.environment = node.environment();
    this.operations = node.operations();
    this.facts = ResourceFacts.of(resource);
    this.kind = facts.kind();
    this.delivered = AgentKind.Words.of(resource);
    this.beingDeleted = resource.beingDeleted();
    this.offered = offeredTo(facts, resource);
    this.spare = environment.spareByDemand(resource);
    NodeManagerPorts ports = environment.ports();
    this.pods =
        new PodObserver(
            name, ports.pendingPods(), ports.metrics(), ports.scheduler().time(), spare);
    this.group = resource.nodeGroup();
    this.exhaustion = environment.exhausted().member(name, group);
  }

  /** The object's offer to a multi-pool agent; not kept for others. */
  private static AddressSet offeredTo(ResourceFacts facts, NodeResource resource) {
    return facts.multiPool() ? resource.pool().addresses() : AddressSet.of();
  }

  /** Before the first {@link #refresh}: another instance had the name. */
  void follows() {
    spare.ifPresent(NodeSpare::replaced);
  }

  ResourceFacts facts() {
    return facts;
  }

  String group() {
    return group;
  }

  /** The last complete picture; null while the instance is not known; any thread. */
  @Nullable NodeSnapshot snapshot() {
    return snapshot;
  }

  /** Whether the cluster says of the node what it said at the last look; any thread. */
  boolean clusterIsCurrent() {
    NodeSnapshot seen = snapshot;
    return seen != null && seen.maxPods().equals(maxPods()) && sawClosed == isClosed();
  }

  /** Pods that the kubelet takes; the reference's profile compares nothing (13 D-21). */
  private OptionalInt maxPods() {
    return environment.config().isReferenceCompatible()
        ? OptionalInt.empty()
        : environment.ports().kubelets().maxPods(name);
  }

  private boolean isClosed() {
    return beingDeleted || environment.ports().closed().isClosed(name);
  }

  ReleaseHandshake handshake() {
    return handshake;
  }

  boolean hadAddresses() {
    return hadAddresses;
  }

  /**
   * Takes a version that the watch delivered; {@link #refresh} draws the consequences.
   *
   * @return whether the node has an agent of another kind by now
   */
  boolean take(NodeResource resource) {
    AgentKind before = kind;
    AgentKind.Words words = AgentKind.Words.of(resource);
    kind = kind.then(delivered, words);
    delivered = words;
    if (kind != before) { // what either kind dropped or was offered is nothing to the other
      cidrs = CidrRelease.NOTHING_BEFORE;
      untaken = CidrRelease.OfferNotTaken.NONE;
    }
    take(resource, kind);
    return kind != before;
  }

  /**
   * Takes a version that a request returned, which may be older than what the watch delivered, or
   * newer; who wrote it the watch will show.
   */
  void takeAnswer(NodeResource resource) {
    take(resource, kind.beside(delivered, AgentKind.Words.of(resource)));
  }

  private void take(NodeResource resource, AgentKind now) {
    ResourceFacts before = facts;
    facts = ResourceFacts.of(resource, now);
    beingDeleted = resource.beingDeleted();
    offered = offeredTo(facts, resource);
    if (facts.multiPool() && facts.agentSpokeSince(before)) {
      cidrs = cidrs.wroteSeeing(offered);
    }
  }

  /** Takes the handshake anew from the object: another operator has changed it. */
  void forgetHandshake() {
    handshake = ReleaseHandshake.UNADOPTED;
  }

  /**
   * Computes everything from the inventory of this moment.
   *
   * @param departed used addresses of another instance that had the name before
   * @return whether the object may have to say something else now
   */
  @SuppressWarnings("ReferenceEquality") // a handshake that changes is another object
  boolean refresh(Inventory inventory, AddressSet departed) {
    if (!(inventory instanceof Inventory.Known known)) {
      snapshot = null;
      return false;
    }
    NodeSnapshot before = snapshot;
    sawClosed = isClosed();
    ResourceFacts own = factsFor(known, departed);
    observePods(own);
    Optional<DemandWatermarks> expected =
        spare
            .filter(any -> own.kind() == AgentKind.SINGLE_ADDRESSES)
            .map(
                it ->
                    it.watermarks(
                        nextStep(known),
                        Watermarks.of(own.spec(), OptionalInt.empty()).preAllocate()));
    NodeSnapshot now =
        NodeSnapshot.of(
            environment.config(),
            own,
            known,
            operations.maximumAllocatableIpv4(),
            expected,
            operations.isPrefixDelegated(),
            pendingPods(),
            maxPods(),
            sawClosed);
    snapshot = now;
    if (spare.isPresent()) {
      environment.meters().spareTarget(name, now.spareTarget());
    }
    hadAddresses |= now.statistics().available() > 0;
    ReleaseHandshake led = handshake;
    long nanos = environment.now();
    handshake =
        facts.multiPool()
            ? ReleaseHandshake.NONE
            : led.adopt(facts.releaseIps(), a -> known.contains(a), nanos)
                .seen(facts.releaseIps(), a -> known.contains(a));
    if (facts.multiPool()) {
      Set<Cidr> attached = now.attachedCidrs();
      cidrs = cidrs.observe(facts.allocatedCidrs(), attached, offered, nanos);
      untaken = untaken.observe(facts.allocatedCidrs(), attached, offered, demanded(now), nanos);
    } else if (cidrs.equals(CidrRelease.UNSEEDED)) {
      cidrs = CidrRelease.NOTHING_BEFORE;
    }
    return before == null || led != handshake || !known.equals(before.inventory());
  }

  /** Pods came, got an address or went; what follows is decided at the next {@link #refresh}. */
  void podsChanged() {
    NodeSnapshot now = snapshot;
    if (now != null) {
      observePods(now.facts());
    }
  }

  /** The pods of an agent that names them. */
  private void observePods(ResourceFacts own) {
    if (own.kind() == AgentKind.SINGLE_ADDRESSES) {
      Optional<NodeResource> latest =
          newest().filter(object -> object.resourceVersion().equals(own.version()));
      pods.observe(own.usedCount(), latest);
    }
  }

  private GrowthKind nextStep(Inventory.Known known) {
    if (known.statistics().interfacesWithRoom() == 0) {
      return GrowthKind.INTERFACE;
    }
    return operations.isPrefixDelegated() ? GrowthKind.BLOCKS : GrowthKind.ADDRESSES;
  }

  private ResourceFacts factsFor(Inventory.Known known, AddressSet departed) {
    ResourceFacts own = departed.isEmpty() ? facts : facts.without(notAttached(departed, known));
    return own.promising(operations.ipv6PrefixesMissing());
  }

  private static AddressSet notAttached(AddressSet departed, Inventory.Known known) {
    AddressSet.Builder left = AddressSet.builder();
    for (IpAddress each : departed) {
      if (!known.contains(each)) {
        left.add(each);
      }
    }
    return left.build();
  }

  private OptionalInt pendingPods() {
    return environment.ports().pendingPods().onNode(name);
  }

  boolean needsPass() {
    NodeSnapshot now = snapshot;
    return now != null && (now.needsAllocation() || needsRelease(now));
  }

  /** In the reference's profile an acknowledgement waits for the scan (D-21). */
  private boolean needsRelease(NodeSnapshot now) {
    return !now.config().isReferenceCompatible()
        && ((now.config().release().enabled() && now.statistics().excess() > 0)
            || !handshake.isEmpty()
            || givingBackCidrs());
  }

  /**
   * Moves the handshake on for a decision (4.5).
   *
   * @param candidates what the decision would give back; empty when it gives back nothing
   * @return what of the candidates may go to the cloud now
   */
  Optional<ReleaseAction> step(Optional<ReleaseAction> candidates, int needed) {
    ReleaseHandshake before = handshake;
    ReleaseHandshake.Step step =
        candidates
            .map(
                action ->
                    before.step(
                        action,
                        facts.releaseIps().keySet(),
                        usedNow(),
                        environment.now(),
                        environment.config().release().delay().toNanos()))
            .orElseGet(() -> new ReleaseHandshake.Step(before.abort(), Optional.empty()));
    handshake = step.handshake();
    if (handshake != before) {
      AddressSet listed = candidates.map(ReleaseAction::allAddresses).orElse(AddressSet.of());
      before
          .abortsTo(handshake, listed, needed)
          .forEach(
              (reason, count) ->
                  environment
                      .ports()
                      .metrics()
                      .counter(Metric.HANDSHAKE_ABORTED, reason)
                      .increment(count));
    }
    return step.releasable();
  }

  void gaveBack(AddressSet addresses, Set<Cidr> blocks) {
    if (!facts.multiPool()) {
      handshake = handshake.released(addresses, environment.now());
    }
    cidrs = cidrs.released(blocks);
  }

  /**
   * The status that follows; while the instance is not known the numbers are those before, and
   * those of the object.
   */
  NodeStatus status(
      NodeStatus before, Optional<Blocked> blocked, Optional<Blocked> warning, boolean waiting) {
    NodeSnapshot now = snapshot;
    long notTaken = untaken().map(CidrRelease.OfferNotTaken::addresses).orElse(0L);
    if (notTaken != untakenReported) {
      untakenReported = notTaken;
      environment.meters().offeredNotTaken(name, notTaken);
    }
    return NodeStatus.of(
        environment.config(),
        now == null
            ? before
                .statistics()
                .written(facts.poolSize(), facts.usedCount(), unmet(before, blocked))
            : now.statistics(),
        now == null ? before.pods() : now.podCapacity(),
        blocked,
        warning,
        handshake,
        givingBackCidrs(),
        now == null ? 0 : now.unwritten(),
        waiting);
  }

  /**
   * Taints the node while it can give no pod an address, or removes the taint. While the instance
   * is not known, the addresses that the object lists decide, and no taint begins.
   *
   * @param blocked why the node gets no more addresses
   * @param refused whether the cloud refused the node's last request for lack of room
   * @return when to decide again
   */
  OptionalLong taint(Optional<Blocked> blocked, boolean refused) {
    if (exhaustion.isEmpty()) {
      return OptionalLong.empty();
    }
    NodeSnapshot now = snapshot;
    AddressSupply supply =
        facts.multiPool()
            ? AddressSupply.AMPLE
            : now == null ? listed() : now.supply(blocked, refused);
    return exhaustion.get().observe(supply, environment.now(), environment.readiness().isReady());
  }

  private AddressSupply listed() {
    int reserve = Watermarks.of(facts.spec(), OptionalInt.empty()).reserve();
    int free = facts.poolSize() - facts.usedCount();
    return new AddressSupply(free, facts.poolSize(), reserve, Optional.empty(), false);
  }

  /** How long the node has been tainted, as far as is known; empty when it is not. */
  Optional<Duration> taintedFor() {
    return exhaustion.flatMap(it -> it.taintedFor(environment.now()));
  }

  /** The node's life ends. */
  void close() {
    exhaustion.ifPresent(ExhaustedNodes.Member::leave);
  }

  /** The need while the instance is not known; unknown limits are no ceiling. */
  private int unmet(NodeStatus before, Optional<Blocked> blocked) {
    return blocked.map(Blocked::reason).equals(Optional.of(BlockedReason.LIMITS_UNKNOWN))
        ? Watermarks.of(facts.spec(), OptionalInt.empty())
            .needed(facts.poolSize(), facts.usedCount())
        : before.statistics().needed();
  }

  /**
   * The inventory, where nothing but a change of it can ask for a pass; null elsewhere, as where
   * time and other nodes move the watermarks, or a scan decides about a taint.
   */
  Inventory.@Nullable Known calm() {
    NodeSnapshot now = snapshot;
    return now == null
            || now.drain().replacing() > 0
            || now.demand().isPresent()
            || exhaustion.filter(ExhaustedNodes.Member::needsScans).isPresent()
        ? null
        : now.inventory();
  }

  /** When the delay of the next surplus address or dropped CIDR is over; only instants to come. */
  OptionalLong releaseDue() {
    long now = environment.now();
    long delay = environment.config().release().delay().toNanos();
    OptionalLong due =
        NodeEnvironment.earlier(OptionalLong.empty(), handshake.nextDueNanos(delay), now);
    boolean released = facts.dropsCidrs() && environment.config().release().enabled();
    return released ? NodeEnvironment.earlier(due, cidrs.nextDueNanos(now, delay), now) : due;
  }

  /** Whether a multi-pool agent dropped something that is to be given back. */
  boolean givingBackCidrs() {
    return facts.dropsCidrs() && !spareCidrs(cidrs.timers().keySet()).isEmpty();
  }

  /** Those of {@code releasable} dropped CIDRs that are given back once their delay is over. */
  Set<Cidr> spareCidrs(Set<Cidr> releasable) {
    NodeSnapshot now = snapshot;
    if (now == null || !facts.dropsCidrs() || !environment.config().release().enabled()) {
      return Set.of();
    }
    NodeStatistics statistics = now.statistics();
    return cidrs.spare(
        releasable,
        statistics.available(),
        statistics.needed(),
        now.watermarks().minAllocate(),
        demanded(now));
  }

  private static long demanded(NodeSnapshot now) {
    return (long) now.statistics().used() + now.watermarks().preAllocate();
  }

  /** When the agent will have left an offer alone for too long; only instants to come. */
  OptionalLong graceEnd() {
    return facts.multiPool() ? untaken.graceEnd(environment.now()) : OptionalLong.empty();
  }

  /** The addresses that the agent has left alone for too long. */
  Optional<CidrRelease.OfferNotTaken> untaken() {
    return Optional.of(untaken)
        .filter(left -> facts.multiPool() && left.isOverdue(environment.now()));
  }

  /** The same for people, with its age. */
  Optional<String> untakenText() {
    return untaken().map(left -> left.text(environment.now()));
  }

  /** A problem of the node's agent that needs human action although the node is served. */
  Optional<Blocked> warning() {
    return untaken().map(CidrRelease.OfferNotTaken::warning);
  }

  /**
   * The CIDRs that a multi-pool agent dropped long enough ago and has not taken back since (NM-C5);
   * whether it goes, {@link #spareCidrs} says.
   */
  Set<Cidr> dueCidrs() {
    if (!facts.dropsCidrs()) {
      return Set.of();
    }
    Set<Cidr> due = cidrs.due(environment.now(), environment.config().release().delay().toNanos());
    newest()
        .map(latest -> latest.ipam().allocatedCidrs())
        .ifPresent(listed -> due.removeIf(cidr -> CidrRelease.isHeld(cidr, listed)));
    return due;
  }

  /** Used addresses as the newest object says, looked at immediately before a release (D-5). */
  private AddressSet usedNow() {
    return newest().map(latest -> latest.used().plus(facts.used())).orElse(facts.used());
  }

  private Optional<NodeResource> newest() {
    return environment.ports().store().latest(name);
  }
}
