package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.time.Trigger;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node with one instance: takes events, decides, starts what the decision asks for
 * (node-manager 3). Confined to its lane, but for {@link #standing}, {@link #settled} and {@link
 * #close}. A turn never blocks.
 *
 * <p>{@link #maintain} is the pass: gate, snapshot, plan, act. What must be read back is {@link
 * InstanceReader}'s, what is written {@link NodeStatusWriter}'s, what fails {@link NodeTrouble}'s.
 */
final class Node {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);
  private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

  /** Answers "no room" that a node may meet one after the other before it backs off. */
  private static final int NO_ROOM_REPLANS = 4;

  private final String name;
  private final InstanceId instanceId;
  private final NodeEnvironment environment;
  private final Lane lane;
  private final Consumer<Standing> published;
  private final Cancellation cancellation = new Cancellation();
  private final NodeOperations operations;
  private final MaintenancePlanner planner;
  private final PassRunner passes;
  private final NodeStatusWriter writer;
  private final InstanceReader reader;
  private final NodeTrouble trouble;

  /** Of the public address alone: it must not keep pods waiting. */
  private final NodeTrouble staticAddressTrouble;

  private final Alarm alarm;
  private final Trigger maintainTrigger;
  private final Trigger writeTrigger;

  private ResourceFacts facts;
  private ReleaseHandshake handshake = ReleaseHandshake.UNADOPTED;
  private CidrRelease cidrs = CidrRelease.UNSEEDED;
  private volatile @Nullable NodeSnapshot snapshot;

  /** Why the last plan could do nothing; what the gate forbids is not remembered here. */
  private Optional<Blocked> stuck = Optional.empty();

  private int noRoomAnswers;
  private CompletionStage<?> pass = DONE;
  private boolean hadAddresses;
  private boolean writeFailed;
  private volatile Standing standing = Standing.UNKNOWN;

  /** On the lane; {@code published} hears every change of the standing, on the lane. */
  Node(
      String name,
      InstanceId instanceId,
      NodeResource resource,
      NodeEnvironment environment,
      Lane lane,
      Consumer<Standing> published) {
    this.name = name;
    this.instanceId = instanceId;
    this.environment = environment;
    this.lane = lane;
    this.published = published;
    this.facts = ResourceFacts.of(resource);
    NodeManagerConfig config = environment.config();
    AllocationImplementation provider = environment.ports().provider();
    this.operations =
        provider.createNode(
            new NodeSettings(
                name,
                config.prefixDelegation(),
                config.releaseExcess(),
                config.referenceCompatible()),
            resource);
    this.planner = new MaintenancePlanner(operations, provider.capabilities());
    PassMetrics metrics =
        new PassMetrics(environment.ports().metrics(), environment.ports().scheduler().time());
    this.passes =
        new PassRunner(
            operations, provider.calls(), metrics, environment.ports().scheduler(), lane);
    this.writer = new NodeStatusWriter(name, environment, operations, lane, this::sawObject);
    this.trouble = new NodeTrouble(environment);
    this.staticAddressTrouble = new NodeTrouble(environment);
    this.maintainTrigger =
        Trigger.ofStages(environment.triggers().poolMaintainer(), lane, reasons -> maintain());
    this.writeTrigger =
        Trigger.ofStages(environment.triggers().k8sSync(), lane, reasons -> write());
    this.alarm = new Alarm(environment.ports().scheduler(), () -> lane.execute(this::alarmed));
    this.reader = new InstanceReader(name, instanceId, environment, cancellation, lane, this::read);
  }

  /** The instance this node stands for. */
  InstanceId instanceId() {
    return instanceId;
  }

  /** How it stood after the last turn; any thread. */
  Standing standing() {
    return standing;
  }

  /** Whether the next step is somebody else's; any thread. */
  boolean settled() {
    return !standing.waiting()
        && maintainTrigger.isIdle()
        && writeTrigger.isIdle()
        && reader.isIdle()
        && lane.isIdle();
  }

  /** First turn: what the constructor's resource and the cache say. */
  void begin() {
    recalculate();
    writeTrigger.trigger("discovered");
    afterEvent("discovered");
  }

  /** A new version of the resource; own writes that come back change nothing. */
  void resourceUpdated(NodeResource resource) {
    if (cancellation.isCancelled() || isOwnWrite(resource)) {
      return;
    }
    facts = ResourceFacts.of(resource);
    operations.updatedNode(resource);
    trouble.signOfLife();
    recalculate();
    passes.reprioritize(priority());
    writeTrigger.trigger("resource updated");
    afterEvent("resource updated");
  }

  private boolean isOwnWrite(NodeResource resource) {
    return !resource.resourceVersion().isEmpty()
        && resource.resourceVersion().equals(facts.version());
  }

  /**
   * The object as a write or read of ours left it. It may be older than what the watch delivered
   * while the answer travelled: then it only proves that our mark was published (D-5), and the
   * newest version counts.
   */
  private void sawObject(NodeResource resource) {
    if (cancellation.isCancelled()) {
      return;
    }
    facts = ResourceFacts.of(resource);
    recalculate();
    NodeResource newest = environment.ports().store().latest(name).orElse(resource);
    if (!newest.resourceVersion().equals(resource.resourceVersion())) {
      facts = ResourceFacts.of(newest);
      recalculate();
    }
    operations.updatedNode(newest);
    afterEvent("object read");
  }

  /** A full scan arrived that began at {@code startedGeneration}. */
  void scanned(long startedGeneration) {
    if (!cancellation.isCancelled()) {
      reader.scanned(startedGeneration);
      recalculate();
      maintainTrigger.trigger("scan");
      writeTrigger.trigger("scan");
      publish();
    }
  }

  /** Whether a full scan has nothing to tell this node; any thread. */
  boolean untouchedByScan() {
    NodeSnapshot last = snapshot;
    return settled()
        && standing.state() == NodeState.OK
        && last != null
        && last.inventory().equals(operations.inventory());
  }

  /** The instances API may be changed again. */
  void ready() {
    maintainTrigger.trigger("instances API is ready");
  }

  /** Reads the instance anew, unless the node must not be touched. */
  void requestSync() {
    if (!(operations.inventory() instanceof Inventory.Untouchable)) {
      reader.request("requested");
    }
  }

  /** Runs a pass. */
  void requestMaintenance() {
    maintainTrigger.trigger("requested");
  }

  /** The explanation of this moment, on the lane. */
  Explanation explain() {
    recalculate();
    Optional<Blocked> gate = gate();
    NodeSnapshot now = snapshot;
    Optional<MaintenancePlan> plan = now == null ? Optional.empty() : Optional.of(plan(now));
    return Explanation.of(
        name, standing, Optional.ofNullable(now), plan, gate.or(() -> stuck), handshake, facts);
  }

  /** Ends everything; only compensation goes on. Any thread; idempotent. */
  void close() {
    cancellation.cancel();
    maintainTrigger.shutdown();
    writeTrigger.shutdown();
    reader.close();
    lane.execute(alarm::cancel);
  }

  /** Ends when no request of a pass is on the wire any more; on the lane. */
  CompletionStage<?> quiet() {
    return pass;
  }

  // ---- deciding

  private void recalculate() {
    snapshot =
        operations
            .inventory()
            .match(
                this::known,
                missing -> {
                  reader.missing(missing.authoritative());
                  return null;
                },
                limits -> null,
                untouchable -> null);
  }

  private NodeSnapshot known(Inventory.Known inventory) {
    reader.found();
    OptionalInt pending = environment.ports().pendingPods().onNode(name);
    NodeSnapshot now =
        NodeSnapshot.of(
            environment.config(),
            facts,
            inventory,
            operations.maximumAllocatableIpv4(),
            operations.isPrefixDelegated(),
            pending);
    hadAddresses |= now.statistics().available() > 0;
    long nanos = environment.now();
    ReleaseHandshake before = handshake;
    handshake =
        facts.multiPool()
            ? ReleaseHandshake.NONE
            : handshake
                .adopt(facts.releaseIps(), a -> NodePublication.attached(inventory, a), nanos)
                .seen(facts.releaseIps(), a -> NodePublication.attached(inventory, a));
    if (facts.multiPool()) {
      cidrs = cidrs.observe(true, facts.allocatedCidrs(), now.attachedCidrs(), nanos);
    }
    boolean inventoryChanged = snapshot == null || !inventory.equals(snapshot.inventory());
    if (inventoryChanged || before != handshake) {
      writeTrigger.trigger("cloud or handshake changed");
    }
    return now;
  }

  /** What a multi-pool agent dropped long enough ago and has not taken back since (NM-C5). */
  private Set<Cidr> dueCidrs() {
    if (!facts.multiPool()) {
      return Set.of();
    }
    Set<Cidr> due = cidrs.due(environment.now(), environment.config().releaseDelay().toNanos());
    environment
        .ports()
        .store()
        .latest(name)
        .ifPresent(latest -> due.removeAll(latest.ipam().allocatedCidrs()));
    return due;
  }

  /** What forbids any decision now (3.6). */
  private Optional<Blocked> gate() {
    Optional<Blocked> unknown =
        operations
            .inventory()
            .match(
                known -> Optional.<Blocked>empty(),
                missing ->
                    Optional.of(
                        new Blocked(
                            BlockedReason.INSTANCE_MISSING,
                            "the cloud "
                                + (missing.authoritative() ? "says there is no " : "showed no ")
                                + instanceId)),
                limits ->
                    Optional.of(
                        new Blocked(
                            BlockedReason.LIMITS_UNKNOWN,
                            "instance type '" + limits.instanceType() + "'")),
                untouchable -> Optional.of(untouchable.reason()));
    return unknown.or(this::apiUnstable).or(reader::blocked).or(trouble::blocked);
  }

  private Optional<Blocked> apiUnstable() {
    return environment.readiness().isReady()
        ? Optional.empty()
        : Optional.of(
            new Blocked(
                BlockedReason.INSTANCES_API_UNSTABLE, "the last full scan of the cloud failed"));
  }

  /** Makes the plan and moves the handshake accordingly (3.8, 4.5). */
  private MaintenancePlan decide() {
    recalculate();
    Optional<Blocked> gate = gate();
    NodeSnapshot now = snapshot;
    if (gate.isPresent() || now == null) {
      return gate.<MaintenancePlan>map(MaintenancePlan.Stuck::new)
          .orElse(new MaintenancePlan.Idle());
    }
    MaintenancePlan plan = plan(now);
    ReleaseHandshake before = handshake;
    if (plan instanceof MaintenancePlan.Release release) {
      ReleaseStep step =
          ReleaseStep.of(
              handshake,
              release.candidates(),
              usedNow(),
              environment.now(),
              environment.config().releaseDelay().toNanos());
      handshake = step.handshake();
      plan = new MaintenancePlan.Release(release.candidates(), step.releasable());
    } else {
      handshake = ReleaseStep.abort(handshake);
    }
    if (handshake != before) {
      writeTrigger.trigger("handshake changed");
      countAborts(before, plan, now.statistics().needed());
    }
    return plan;
  }

  private MaintenancePlan plan(NodeSnapshot now) {
    return planner.plan(now, dueCidrs(), staticAddressTrouble.blocked().isEmpty());
  }

  private void countAborts(ReleaseHandshake before, MaintenancePlan plan, int needed) {
    AddressSet candidates =
        plan instanceof MaintenancePlan.Release release
            ? release.candidates().allAddresses()
            : AddressSet.of();
    HandshakeAborts.between(before, handshake, candidates, needed)
        .forEach(
            (reason, count) -> {
              for (int i = 0; i < count; i++) {
                environment.ports().metrics().handshakeAborted(reason);
              }
            });
  }

  /** Used addresses as the newest object says, looked at immediately before a release (D-5). */
  private AddressSet usedNow() {
    return environment
        .ports()
        .store()
        .latest(name)
        .map(latest -> latest.used().plus(facts.used()))
        .orElse(facts.used());
  }

  // ---- acting

  /** One pass (3.6). */
  private CompletionStage<?> maintain() {
    if (cancellation.isCancelled()) {
      return DONE;
    }
    MaintenancePlan plan = decide();
    stuck = Optional.empty();
    if (plan instanceof MaintenancePlan.Stuck blocked) {
      trouble.report(name, blocked.blocked());
      if (gate().isEmpty()) {
        stuck = Optional.of(blocked.blocked());
      }
    }
    if (PassRunner.opening(plan).isEmpty()) {
      publish();
      return DONE;
    }
    LOG.debug("Changing the cloud. node={} plan={}", name, plan);
    CallContext context =
        CallContext.of(
            name,
            plan instanceof MaintenancePlan.Release || plan instanceof MaintenancePlan.ReleaseCidrs
                ? Priority.of(Priority.Rank.RELEASE)
                : priority(),
            environment.now() + environment.config().passTimeout().toNanos(),
            cancellation);
    NodeTrouble whose =
        plan instanceof MaintenancePlan.AssignStaticAddress ? staticAddressTrouble : trouble;
    pass = passes.run(plan, this::decide, context).thenAccept(end -> passEnded(end, whose));
    return pass;
  }

  private void passEnded(PassEnd end, NodeTrouble whose) {
    if (cancellation.isCancelled()) {
      return;
    }
    if (end instanceof PassEnd.Added) {
      succeeded(whose);
    } else if (end instanceof PassEnd.GivenBack back) {
      if (!facts.multiPool()) {
        handshake = handshake.released(back.addresses(), environment.now());
      }
      cidrs = cidrs.released(back.cidrs());
      writeTrigger.trigger("addresses released");
      if (back.rest().isPresent()) {
        failed(back.rest().get(), false, whose);
      } else {
        succeeded(whose);
      }
    } else if (end instanceof PassEnd.NoRoom noRoom) {
      noRoom(noRoom.detail(), whose);
    } else if (end instanceof PassEnd.NotRunning) {
      trouble.notRunning();
      LOG.info("The instance is not running. node={} instance={}", name, instanceId);
    } else if (end instanceof PassEnd.Failed failure) {
      failed(failure.failure(), failure.readBack(), whose);
    }
    recalculate();
    maintainTrigger.trigger("pass ended");
    publish();
  }

  private void succeeded(NodeTrouble whose) {
    noRoomAnswers = 0;
    whose.succeeded();
  }

  /** The provider knows now where there is no room, so the next plan is another one. */
  private void noRoom(String detail, NodeTrouble whose) {
    noRoomAnswers++;
    if (noRoomAnswers >= NO_ROOM_REPLANS) {
      noRoomAnswers = 0;
      failed(Failure.of(Failure.Kind.CAPACITY, "noRoom", detail), false, whose);
    }
  }

  private void failed(Failure failure, boolean readBack, NodeTrouble whose) {
    if (failure.kind() == Failure.Kind.CANCELLED) {
      return;
    }
    whose.failed(name, failure);
    if (readBack) {
      reader.readBack(operations.inventory());
    }
  }

  private Priority priority() {
    NodeSnapshot now = snapshot;
    if (now == null) {
      return Priority.of(Priority.Rank.BELOW_WATERMARK);
    }
    return NodePriority.of(now, hadAddresses);
  }

  /** The instance was read, or could not be. */
  private void read() {
    if (!cancellation.isCancelled()) {
      recalculate();
      afterEvent("instance read");
    }
  }

  private void alarmed() {
    alarm.rang();
    if (!cancellation.isCancelled()) {
      recalculate();
      maintainTrigger.trigger("timer");
      if (writeFailed) {
        writeTrigger.trigger("write again");
      }
      publish();
    }
  }

  private CompletionStage<?> write() {
    NodeSnapshot now = snapshot;
    if (cancellation.isCancelled() || now == null) {
      return DONE;
    }
    writeFailed = false;
    return writer.write(() -> publication(now)).thenAcceptAsync(this::wrote, lane);
  }

  /** What the object shall say now; the last that is known when the instance has vanished. */
  private NodePublication publication(NodeSnapshot last) {
    NodeSnapshot now = snapshot == null ? last : snapshot;
    return NodePublication.of(
        now.inventory(),
        handshake,
        now.inventory().statistics().staticAddress(),
        operations.minimumAllocatableIpv4());
  }

  private void wrote(NodeStatusWriter.Result result) {
    writeFailed = result == NodeStatusWriter.Result.FAILED;
    trouble.wrote(writeFailed);
    publish();
  }

  /** Decides whether the event asks for a pass, and publishes how the node stands. */
  private void afterEvent(String reason) {
    NodeSnapshot now = snapshot;
    if (now != null && PassNeed.of(now, handshake, cidrs)) {
      maintainTrigger.trigger(reason);
    } else {
      stuck = Optional.empty();
    }
    publish();
  }

  private void publish() {
    if (cancellation.isCancelled()) {
      return; // what still comes in of a node that is gone counts no more
    }
    NodeSnapshot now = snapshot;
    NodeStatistics statistics = now == null ? standing.statistics() : now.statistics();
    Optional<Blocked> blocked = gate().or(() -> stuck).or(staticAddressTrouble::blocked);
    OptionalLong due = nextWakeUp();
    due.ifPresent(alarm::noLaterThan);
    Standing next =
        StandingRule.of(
            environment.config(), statistics, blocked, handshake, givingBackCidrs(), waiting());
    lane.deficit(statistics.needed());
    if (!next.equals(standing)) {
      standing = next;
      published.accept(next);
    }
  }

  /** Whether the next step is ours, sooner or later. */
  private boolean waiting() {
    return trouble.willRetry()
        || staticAddressTrouble.willRetry()
        || reader.isWaiting()
        || !environment.readiness().isReady()
        || releaseDue().isPresent()
        || (environment.config().referenceCompatible() && handshake.isOurTurn());
  }

  /** When time alone makes something happen; only instants to come. */
  private OptionalLong nextWakeUp() {
    OptionalLong due =
        Earliest.of(trouble.nextWakeUp(), staticAddressTrouble.nextWakeUp(), environment.now());
    return environment.config().referenceCompatible()
        ? due // surplus waits for the scan (D-21)
        : Earliest.of(due, releaseDue(), environment.now());
  }

  /** When the delay of the next surplus address or dropped CIDR is over; only instants to come. */
  private OptionalLong releaseDue() {
    long now = environment.now();
    long delay = environment.config().releaseDelay().toNanos();
    OptionalLong due = Earliest.of(OptionalLong.empty(), handshake.nextDueNanos(delay), now);
    return givingBackCidrs() ? Earliest.of(due, cidrs.nextDueNanos(delay), now) : due;
  }

  private boolean givingBackCidrs() {
    return facts.multiPool() && environment.config().releaseExcess() && !cidrs.timers().isEmpty();
  }
}
