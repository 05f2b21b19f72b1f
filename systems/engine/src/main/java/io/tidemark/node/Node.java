package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Priority;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.time.Cancellable;
import io.tidemark.time.Lane;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.Trigger;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One node with one instance (node-manager 3). An event is a turn on the node's lane: observe,
 * decide, act, publish. Three kinds of work take longer than a turn, each behind its own trigger: a
 * pass, which changes the cloud; a write of the resource; a read of the instance. When one has
 * ended, the next turn draws the consequences.
 *
 * <p>Confined to the lane, but for {@link #status}, {@link #group}, {@link #usesPrefixes}, {@link
 * #settled}, {@link #isWritten}, {@link #untouchedByScan} and {@link #close}. A turn never blocks.
 */
final class Node {
  private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

  /** Added to the urgency of a lane that has begun something; above any deficit. */
  private static final int BEGUN = 1 << 30;

  private final NodeParts parts;
  private final Lane lane;
  private final Consumer<NodeStatus> published;
  private final Trigger passes;
  private final Trigger writes;
  private final Trigger reads;
  private final NodeView view;
  private final InstanceReader reader;
  private final NodeObserver observer;
  private final NodeMaintenance maintenance;
  private final NodeStatusWriter writer;
  private final NodeStatusWriter.WriteSchedule writing;
  private final PlanExecutor executor;
  private CompletionStage<?> pass = DONE;
  private CompletionStage<?> write = DONE;
  private boolean passing;

  /** The earliest wake-up that was asked for, and when it is. */
  private @Nullable Cancellable wakeUp;

  private long wakeUpNanos;

  /** A pass added addresses, and no write has ended since. */
  private boolean unlisted;

  private volatile NodeStatus status = NodeStatus.UNKNOWN;

  /**
   * The inventory that the node is at rest with; a scan of ten thousand nodes looks at nothing else
   * of them.
   */
  private volatile Inventory.@Nullable Known calmWith;

  /**
   * The networks that the write after the last scan rests on at least; when it has changed, another
   * is due.
   */
  private volatile Object scannedNetworks;

  /**
   * On the lane.
   *
   * @param departed used addresses of another instance that had the name before
   * @param published receives every change of the status, on the lane
   * @param inherited receives a version with which the node is to begin again, on the lane
   */
  Node(
      String name,
      InstanceId instanceId,
      NodeResource resource,
      NodeEnvironment environment,
      Lane lane,
      AddressSet departed,
      Consumer<NodeStatus> published,
      Consumer<NodeResource> inherited) {
    this.lane = lane;
    this.published = published;
    EngineConfig config = environment.config();
    NodeSettings settings =
        new NodeSettings(
            name,
            config.maintenance().prefixDelegation(),
            config.release().enabled(),
            config.isReferenceCompatible());
    NodeOperations operations = environment.ports().provider().createNode(settings, resource);
    this.parts = new NodeParts(name, instanceId, environment, operations, lane, new Cancellation());
    this.scannedNetworks = parts.operations().networks();
    this.passes = Trigger.ofStages(environment.passes(), lane, reasons -> pass());
    this.writes = Trigger.ofStages(environment.writes(), lane, reasons -> write());
    this.reads = Trigger.ofStages(environment.reads(), lane, reasons -> read());
    this.view = new NodeView(parts, resource);
    this.reader = new InstanceReader(parts, reads);
    this.observer = new NodeObserver(parts, view, reader, writes, resource, departed, inherited);
    this.maintenance = new NodeMaintenance(parts, view);
    this.executor = new PlanExecutor(parts);
    this.writer = new NodeStatusWriter(parts, observer);
    this.writing = new NodeStatusWriter.WriteSchedule(name, environment, resource);
  }

  // ---- events, each a turn

  /** Before the first turn: {@code past} had the name on another instance. */
  void follows(Node past) {
    view.follows();
    observer.foreignWriter().follows(past.observer.foreignWriter());
  }

  /**
   * First turn: what the constructor's resource and the cache say.
   *
   * @param own what we added to the instance in a life before
   */
  void begin(AddressSet own) {
    if (!own.isEmpty()) {
      observer.added(own);
    }
    observer.observe();
    writes.trigger("discovered");
    endTurn("discovered");
  }

  /** A new version of the resource; own writes that come back change nothing. */
  void resourceUpdated(NodeResource resource) {
    if (!isGone() && observer.updated(resource)) {
      maintenance.signOfLife();
      observer.observe();
      writes.trigger("resource updated");
      endTurn("resource updated");
    }
  }

  /** A full scan arrived that began at {@code startedGeneration}. */
  void scanned(long startedGeneration) {
    if (!isGone()) {
      reader.synced(startedGeneration);
      observer.read();
      observer.observe();
      passes.trigger("scan");
      scannedNetworks = parts.operations().networks();
      writes.trigger("scan");
      publish();
    }
  }

  /** Reads the instance anew, unless the node must not be touched. */
  void requestSync() {
    if (!(parts.operations().inventory() instanceof Inventory.Untouchable)) {
      reads.trigger("requested");
    }
  }

  void requestMaintenance(String reason) {
    view.podsChanged();
    passes.trigger(reason);
  }

  private void wokenUp() {
    wakeUp = null;
    if (!isGone()) {
      observer.observe();
      passes.trigger("timer");
      if (writing.isDueAgain()) {
        writes.trigger("write again");
      }
      publish();
    }
  }

  // ---- work that takes longer than a turn
  private CompletionStage<?> pass() {
    if (isGone()) {
      return DONE;
    }
    observer.observe();
    MaintenancePlan plan = decide();
    if (plan.opening().isEmpty()) {
      firstPassEnded();
      publish();
      return DONE;
    }
    passing = true;
    setUrgency();
    boolean release =
        plan instanceof MaintenancePlan.Release || plan instanceof MaintenancePlan.ReleaseCidrs;
    Priority priority = release ? Priority.of(Priority.Rank.RELEASE) : maintenance.priority();
    pass =
        executor
            .admit(plan, priority)
            .thenCompose(token -> admitted(plan, token))
            .thenAccept(this::passEnded);
    return pass;
  }

  private MaintenancePlan decide() {
    ReleaseHandshake before = view.handshake();
    MaintenancePlan plan = maintenance.decide(observer.blocked());
    if (view.handshake() != before) {
      writes.trigger("handshake changed");
    }
    return plan;
  }

  /** CIDRs that an agent dropped are given back only if the object still says so just before. */
  private CompletionStage<PlanExecutor.Result> admitted(
      MaintenancePlan plan, CallResult<CallContext> token) {
    return token.match(
        admitted ->
            plan instanceof MaintenancePlan.ReleaseCidrs && !admitted.isCancelled()
                ? maintenance.readObject().thenCompose(object -> read(admitted, object))
                : perform(admitted, false),
        failure ->
            CompletableFuture.completedStage(new PlanExecutor.Result.Failed(failure, false)));
  }

  private CompletionStage<PlanExecutor.Result> read(
      CallContext admitted, Optional<NodeResource> object) {
    if (object.isPresent()) {
      observer.look();
      observer.saw(object.get());
    }
    return perform(admitted, object.isPresent());
  }

  /** Decides again, because what is right may have changed while the token was awaited. */
  private CompletionStage<PlanExecutor.Result> perform(CallContext admitted, boolean objectRead) {
    if (admitted.isCancelled()) {
      return PlanExecutor.replan(admitted);
    }
    observer.observe();
    MaintenancePlan plan = decide();
    return plan instanceof MaintenancePlan.ReleaseCidrs && !objectRead
        ? PlanExecutor.replan(admitted)
        : executor.perform(plan, admitted);
  }

  private void passEnded(PlanExecutor.Result end) {
    if (isGone()) {
      return;
    }
    passing = false;
    if (end instanceof PlanExecutor.Result.Added added) {
      unlisted = true;
      observer.added(added.addresses());
    } else if (end instanceof PlanExecutor.Result.GivenBack back) {
      view.gaveBack(back.addresses(), back.cidrs());
      writes.trigger("addresses released");
    }
    if (maintenance.ended(end)) {
      reader.readBack(parts.operations().inventory());
    }
    observer.observe();
    firstPassEnded();
    passes.trigger("pass ended");
    publish();
  }

  private void firstPassEnded() {
    if (writing.firstPassEnded()) {
      writes.trigger("first pass ended");
    }
  }

  private CompletionStage<?> write() {
    NodeSnapshot now = view.snapshot();
    if (isGone() || now == null || !observer.mayPublish(now)) {
      return DONE;
    }
    if (!writing.begins(now)) {
      wakeUpBy(writing.nextWakeUp());
      return DONE;
    }
    maintenance.listing();
    write = writer.write(now).thenAcceptAsync(this::written, lane);
    return write;
  }

  private void written(NodeStatusWriter.Result result) {
    writing.ended(result);
    maintenance.listed(result instanceof NodeStatusWriter.Result.Done);
    unlisted = false;
    endTurn("resource written");
  }

  private CompletionStage<?> read() {
    return reader.read().thenRun(this::instanceRead);
  }

  private void instanceRead() {
    if (!isGone()) {
      observer.read();
      observer.observe();
      endTurn("instance read");
    }
  }

  // ---- the end of a turn

  private void endTurn(String reason) {
    if (!isGone()) {
      executor.reprioritize(maintenance.priority());
      if (maintenance.needsPass()) {
        passes.trigger(reason);
      }
      publish();
    }
  }

  private void publish() {
    if (isGone()) {
      return; // events for a removed node are ignored
    }
    maintenance.forgetRefusals();
    wakeUpBy(maintenance.nextWakeUp());
    wakeUpBy(observer.nextWakeUp());
    wakeUpBy(writing.nextWakeUp());
    wakeUpBy(view.graceEnd());
    wakeUpBy(
        view.taint(
            maintenance.withoutAddresses(observer.blocked()), maintenance.isRefusedForRoom()));
    boolean waiting = maintenance.isWaiting() || observer.isWaiting() || writing.isWaiting();
    NodeStatus next = view.status(status, blocked(), warning(), waiting);
    calmWith = next.state() == NodeState.OK && !waiting ? view.calm() : null;
    if (!next.equals(status)) {
      status = next;
      published.accept(next);
    }
    setUrgency();
  }

  /** Wakes no later than {@code instant}, where one is given and is still to come. */
  private void wakeUpBy(OptionalLong instant) {
    TaskScheduler scheduler = parts.environment().ports().scheduler();
    if (instant.isPresent()
        && instant.getAsLong() - scheduler.time().nanos() > 0
        && (wakeUp == null || wakeUpNanos - instant.getAsLong() > 0)) {
      cancelWakeUp();
      wakeUpNanos = instant.getAsLong();
      wakeUp = scheduler.at(wakeUpNanos, () -> lane.execute(this::wokenUp));
    }
  }

  private void cancelWakeUp() {
    if (wakeUp != null) {
      wakeUp.cancel();
      wakeUp = null;
    }
  }

  /** A release that was begun ends first: no pod gets an address that the object does not list. */
  private void setUrgency() {
    int needed = Math.min(status.statistics().needed(), BEGUN - 1);
    lane.urgency(passing || unlisted ? BEGUN + needed : needed);
  }

  /** Why it cannot go on, or cannot say so. */
  private Optional<Blocked> blocked() {
    return maintenance.blocked(observer.blocked()).or(writing::refused);
  }

  private Optional<Blocked> warning() {
    return observer.warning().or(view::warning);
  }

  // ---- for others
  InstanceId instanceId() {
    return parts.instanceId();
  }

  /**
   * The addresses that we have added since it began, for a life that follows with the same
   * instance.
   */
  AddressSet ownAdditions() {
    return observer.ownAdditions();
  }

  /** Its status after the last turn; any thread. */
  NodeStatus status() {
    return status;
  }

  /** Its instance type and node pool; any thread. */
  String group() {
    return view.group();
  }

  /** Whether it uses blocks of addresses, by what was seen last; any thread. */
  boolean usesPrefixes() {
    NodeSnapshot seen = view.snapshot();
    return seen != null && seen.prefixDelegated();
  }

  /** Whether no write of the resource is due or under way; any thread. */
  boolean isWritten() {
    return writes.isIdle();
  }

  /** Whether the next step is not the engine's; any thread. */
  boolean settled() {
    return !status.waiting()
        && passes.isIdle()
        && writes.isIdle()
        && reads.isIdle()
        && lane.isIdle();
  }

  /**
   * Whether a full scan does not concern this node; any thread. A turn that is under way makes no
   * difference: it looks at the inventory itself.
   */
  boolean untouchedByScan() {
    Inventory.Known calm = calmWith;
    return calm != null
        && calm.equals(parts.operations().inventory())
        && parts.operations().networks().equals(scannedNetworks)
        && view.clusterIsCurrent();
  }

  Explanation explain() {
    observer.observe();
    Optional<MaintenancePlan> plan = maintenance.plan();
    Optional<Blocked> known = blocked();
    Optional<Blocked> next = known.or(() -> plan.flatMap(Node::stuck));
    Explanation explained =
        Explanation.of(
            parts.name(),
            next.equals(known) ? status.state() : NodeState.BLOCKED,
            Optional.ofNullable(view.snapshot()),
            plan,
            next.or(this::warning),
            view.handshake(),
            view.facts(),
            observer.missed(),
            view.untakenText(),
            executor.waitedNanos());
    return view.taintedFor().map(explained::tainted).orElse(explained);
  }

  /** The reason for which the next pass will find the node blocked. */
  private static Optional<Blocked> stuck(MaintenancePlan plan) {
    return plan instanceof MaintenancePlan.Stuck it ? Optional.of(it.blocked()) : Optional.empty();
  }

  private boolean isGone() {
    return parts.cancellation().isCancelled();
  }

  /** Ends everything; only compensation goes on. Any thread; idempotent. */
  void close() {
    parts.cancellation().cancel();
    passes.shutdown();
    writes.shutdown();
    reader.close();
    lane.execute(
        () -> {
          cancelWakeUp();
          view.close();
        });
  }

  /** Ends when no request of a pass or of a write is on the wire any more. */
  CompletionStage<?> quiet() {
    return pass.thenCombine(write, (left, right) -> true);
  }
}
