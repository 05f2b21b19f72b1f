package io.tidemark.node;

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
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node with one instance: takes events, decides, starts what the decision asks for
 * (node-manager 3). Confined to its lane, but for {@link #standing}, {@link #settled} and {@link
 * #close}. A turn never blocks.
 *
 * <p>{@link #maintain} is the pass: gate, snapshot, plan, act. What must be read back is {@link
 * InstanceReader}'s, what is written {@link NodeWriting}'s, what fails {@link NodeTrouble}'s.
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
  private final PassRunner passes;
  private final NodeView view;
  private final NodeWriting writing;
  private final InstanceReader reader;
  private final NodeTrouble trouble;

  /** Of the public address alone: it must not keep pods waiting. */
  private final NodeTrouble staticAddressTrouble;

  private final Alarm alarm;
  private final Trigger maintainTrigger;

  /** Why the last plan could do nothing; what the gate forbids is not remembered here. */
  private Optional<Blocked> stuck = Optional.empty();

  private int noRoomAnswers;
  private CompletionStage<?> pass = DONE;
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
    PassMetrics metrics =
        new PassMetrics(environment.ports().metrics(), environment.ports().scheduler().time());
    this.passes =
        new PassRunner(
            operations, provider.calls(), metrics, environment.ports().scheduler(), lane);
    this.view = new NodeView(name, environment, operations, resource);
    this.writing =
        new NodeWriting(
            name, environment, operations, view, resource, lane, this::sawObject, this::wrote);
    this.trouble = new NodeTrouble(environment);
    this.staticAddressTrouble = new NodeTrouble(environment);
    this.maintainTrigger =
        Trigger.ofStages(environment.triggers().poolMaintainer(), lane, reasons -> maintain());
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
        && writing.isIdle()
        && reader.isIdle()
        && lane.isIdle();
  }

  /** First turn: what the constructor's resource and the cache say. */
  void begin() {
    recalculate();
    writing.request("discovered");
    afterEvent("discovered");
  }

  /** A new version of the resource; own writes that come back change nothing. */
  void resourceUpdated(NodeResource resource) {
    if (cancellation.isCancelled() || isOwnWrite(resource)) {
      return;
    }
    writing.watched(resource);
    view.take(resource);
    operations.updatedNode(resource);
    trouble.signOfLife();
    recalculate();
    passes.reprioritize(priority());
    writing.request("resource updated");
    afterEvent("resource updated");
  }

  private boolean isOwnWrite(NodeResource resource) {
    return !resource.resourceVersion().isEmpty()
        && resource.resourceVersion().equals(view.facts().version());
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
    view.take(resource);
    recalculate();
    NodeResource newest = environment.ports().store().latest(name).orElse(resource);
    if (!newest.resourceVersion().equals(resource.resourceVersion())) {
      writing.watched(newest);
      view.take(newest);
      recalculate();
    }
    operations.updatedNode(newest);
    afterEvent("object read");
  }

  /** A full scan arrived that began at {@code startedGeneration}. */
  void scanned(long startedGeneration) {
    if (!cancellation.isCancelled()) {
      reader.scanned(startedGeneration);
      trusted();
      recalculate();
      maintainTrigger.trigger("scan");
      writing.request("scan");
      publish();
    }
  }

  /**
   * Whether a full scan has nothing to tell this node; any thread. A turn that is under way makes
   * no difference: it looks at the inventory itself.
   */
  boolean untouchedByScan() {
    Standing now = standing;
    NodeSnapshot last = view.snapshot();
    return now.state() == NodeState.OK
        && !now.waiting()
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
    NodeSnapshot now = view.snapshot();
    Optional<MaintenancePlan> plan =
        now == null
            ? Optional.empty()
            : Optional.of(view.plan(now, staticAddressTrouble.blocked().isEmpty()));
    return Explanation.of(
        name,
        standing,
        Optional.ofNullable(now),
        plan,
        gate.or(() -> stuck),
        view.handshake(),
        view.facts());
  }

  /** Ends everything; only compensation goes on. Any thread; idempotent. */
  void close() {
    cancellation.cancel();
    maintainTrigger.shutdown();
    writing.close();
    reader.close();
    lane.execute(alarm::cancel);
  }

  /** Ends when no request of a pass is on the wire any more; on the lane. */
  CompletionStage<?> quiet() {
    return pass;
  }

  // ---- deciding

  private void recalculate() {
    Inventory inventory = operations.inventory();
    if (inventory instanceof Inventory.InstanceMissing missing) {
      reader.missing(missing.authoritative());
    } else if (inventory instanceof Inventory.Known) {
      reader.found();
    }
    boolean changed = view.refresh(inventory);
    NodeSnapshot now = view.snapshot();
    if (now != null) {
      writing.pictured(now);
    }
    if (changed) {
      writing.request("cloud or handshake changed");
    }
  }

  /** What forbids any decision now (3.6). */
  private Optional<Blocked> gate() {
    Optional<Blocked> unknown =
        operations
            .inventory()
            .match(
                known -> Optional.<Blocked>empty(),
                missing ->
                    missing.authoritative() || environment.readiness().isReady()
                        ? Optional.of(
                            new Blocked(
                                BlockedReason.INSTANCE_MISSING,
                                "the cloud "
                                    + (missing.authoritative() ? "says there is no " : "showed no ")
                                    + instanceId))
                        : Optional.<Blocked>empty(), // nobody has asked the cloud yet
                limits ->
                    Optional.of(
                        new Blocked(
                            BlockedReason.LIMITS_UNKNOWN,
                            "instance type '" + limits.instanceType() + "'")),
                untouchable -> Optional.of(untouchable.reason()));
    return unknown
        .or(this::apiUnstable)
        .or(writing::blocked)
        .or(reader::blocked)
        .or(trouble::blocked);
  }

  private Optional<Blocked> apiUnstable() {
    return environment.readiness().isReady()
        ? Optional.empty()
        : Optional.of(
            new Blocked(
                BlockedReason.INSTANCES_API_UNSTABLE,
                "the cloud was not read yet, or the last full scan failed"));
  }

  /** Makes the plan and moves the handshake accordingly (3.8, 4.5). */
  private MaintenancePlan decide() {
    recalculate();
    Optional<Blocked> gate = gate();
    NodeSnapshot now = view.snapshot();
    if (gate.isPresent() || now == null) {
      return gate.<MaintenancePlan>map(MaintenancePlan.Stuck::new)
          .orElse(new MaintenancePlan.Idle());
    }
    ReleaseHandshake before = view.handshake();
    MaintenancePlan plan = view.planAndStep(now, staticAddressTrouble.blocked().isEmpty());
    if (view.handshake() != before) {
      writing.request("handshake changed");
    }
    return plan;
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
      view.gaveBack(back.addresses(), back.cidrs());
      writing.request("addresses released");
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
    NodeSnapshot now = view.snapshot();
    if (now == null) {
      return Priority.of(Priority.Rank.BELOW_WATERMARK);
    }
    return NodePriority.of(now, view.hadAddresses());
  }

  /** The instance was read, or could not be. */
  private void read() {
    if (!cancellation.isCancelled()) {
      trusted();
      recalculate();
      afterEvent("instance read");
    }
  }

  private void trusted() {
    if (reader.blocked().isEmpty()) {
      writing.trusted();
    }
  }

  private void alarmed() {
    alarm.rang();
    if (!cancellation.isCancelled()) {
      if (writing.wantsRead()) {
        reader.readAnew();
      }
      recalculate();
      maintainTrigger.trigger("timer");
      writing.again();
      publish();
    }
  }

  private void wrote(boolean failed) {
    trouble.wrote(failed);
    publish();
  }

  /** Decides whether the event asks for a pass, and publishes how the node stands. */
  private void afterEvent(String reason) {
    if (view.needsPass()) {
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
    NodeSnapshot now = view.snapshot();
    NodeStatistics statistics = now == null ? standing.statistics() : now.statistics();
    Optional<Blocked> blocked = gate().or(() -> stuck).or(staticAddressTrouble::blocked);
    OptionalLong due = nextWakeUp();
    due.ifPresent(alarm::noLaterThan);
    Standing next =
        StandingRule.of(
            environment.config(),
            statistics,
            blocked,
            view.handshake(),
            view.givingBackCidrs(),
            waiting());
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
        || writing.isWaiting()
        || view.releaseDue().isPresent()
        || (environment.config().referenceCompatible() && view.handshake().isOurTurn());
  }

  /** When time alone makes something happen; only instants to come. */
  private OptionalLong nextWakeUp() {
    long now = environment.now();
    OptionalLong due = Earliest.of(trouble.nextWakeUp(), staticAddressTrouble.nextWakeUp(), now);
    due = Earliest.of(due, writing.nextWakeUp(), now);
    return environment.config().referenceCompatible()
        ? due // surplus waits for the scan (D-21)
        : Earliest.of(due, view.releaseDue(), now);
  }
}
