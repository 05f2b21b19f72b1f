package io.tidemark.node;

import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.time.Trigger;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decision of a pass, its execution, and the consequences of its end (node-manager 3.6-3.8).
 * Confined to the node's lane.
 */
final class NodeMaintenance {
  /** The longest that a pass waits for its turn; the next one begins at the end of the line. */
  private static final Duration LONGEST_QUEUE = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger(NodeMaintenance.class);

  private final NodeParts node;
  private final NodeView view;
  private final NodeObserver observer;
  private final InstanceReader reader;
  private final Trigger writes;

  private final NodeBackoff.Group backoffs;
  private final PreReleaseRead preReleaseRead;
  private final MaintenancePlanner planner;
  private final PlanExecutor executor;

  /** Why the last plan could do nothing; what {@link #forbidden} says is not remembered here. */
  private Optional<Blocked> stuck = Optional.empty();

  /** Whose a failure of the last plan is; a pass carries out the last one. */
  private NodeBackoff whose;

  /** {@code writes} asks for a write of the object. */
  NodeMaintenance(
      NodeParts node, NodeView view, NodeObserver observer, InstanceReader reader, Trigger writes) {
    this.node = node;
    this.view = view;
    this.observer = observer;
    this.reader = reader;
    this.writes = writes;
    this.backoffs = NodeBackoff.Group.of(node.environment());
    this.whose = backoffs.pool();
    this.preReleaseRead = new PreReleaseRead(node);
    this.planner =
        new MaintenancePlanner(
            node.operations(), node.environment().ports().provider().capabilities());
    this.executor = new PlanExecutor(node);
  }

  /** Makes the plan of this moment and moves the handshake on accordingly (3.8, 4.5). */
  MaintenancePlan decide() {
    stuck = Optional.empty();
    Optional<Blocked> forbidden = forbidden();
    NodeSnapshot now = view.snapshot();
    if (forbidden.isPresent() || now == null) {
      forbidden.ifPresent(why -> backoffs.pool().report(node.name(), why));
      return new MaintenancePlan.Idle();
    }
    ReleaseHandshake before = view.handshake();
    MaintenancePlan plan = step(plan(now), now);
    if (view.handshake() != before) {
      writes.trigger("handshake changed");
    }
    whose = backoffs.of(plan, now.statistics());
    if (plan instanceof MaintenancePlan.Stuck none) {
      stuck = Optional.of(none.blocked());
      backoffs.pool().report(node.name(), none.blocked());
    }
    return plan;
  }

  /** A release is left with what may go to the cloud now. */
  private MaintenancePlan step(MaintenancePlan plan, NodeSnapshot now) {
    if (plan instanceof MaintenancePlan.Release release) {
      Optional<ReleaseAction> releasable =
          view.step(Optional.of(release.candidates()), now.statistics().needed());
      return new MaintenancePlan.Release(release.candidates(), releasable);
    }
    view.step(planner.leavingBeside(plan, now), now.statistics().needed());
    return plan;
  }

  private MaintenancePlan plan(NodeSnapshot now) {
    MaintenancePlanner.Allowed allowed =
        new MaintenancePlanner.Allowed(
            !preReleaseRead.pauses(),
            backoffs.staticAddress().blocked().isEmpty(),
            backoffs.drain().blocked());
    Set<Cidr> dropped = allowed.droppedCidrs() ? view.dueCidrs() : Set.of();
    return planner.plan(
        now, new MaintenancePlanner.DroppedCidrs(dropped, view::spareCidrs), allowed);
  }

  /** The current plan, for explanations; changes nothing. */
  Optional<MaintenancePlan> plan() {
    return Optional.ofNullable(view.snapshot()).map(this::plan);
  }

  /**
   * Waits for a token, decides again, because what is right may have changed meanwhile, and makes
   * the change.
   *
   * @param plan one that has an {@link MaintenancePlan#opening opening}
   * @return ends on the lane
   */
  CompletionStage<PlanExecutor.Result> act(MaintenancePlan plan) {
    LOG.debug("Changing the cloud. node={} plan={}", node.name(), plan);
    boolean release =
        plan instanceof MaintenancePlan.Release || plan instanceof MaintenancePlan.ReleaseCidrs;
    CallContext context =
        CallContext.of(
            node.name(),
            release ? Priority.of(Priority.Rank.RELEASE) : priority(),
            node.environment().now() + LONGEST_QUEUE.toNanos(),
            node.cancellation());
    return executor
        .admit(plan.opening().orElseThrow(), context)
        .thenCompose(result -> admitted(plan, result));
  }

  private CompletionStage<PlanExecutor.Result> admitted(
      MaintenancePlan plan, CallResult<CallContext> result) {
    if (result instanceof CallResult.Answered<CallContext> token) {
      return plan instanceof MaintenancePlan.ReleaseCidrs
          ? readAndPerform(token.value())
          : perform(token.value(), false);
    }
    Failure failure = ((CallResult.Failed<CallContext>) result).failure();
    return CompletableFuture.completedStage(new PlanExecutor.Result.Failed(failure, false));
  }

  private CompletionStage<PlanExecutor.Result> readAndPerform(CallContext admitted) {
    if (admitted.isCancelled()) {
      return replan(admitted);
    }
    return preReleaseRead
        .read()
        .thenCompose(
            object -> {
              object.ifPresent(this::saw);
              return perform(admitted, object.isPresent());
            });
  }

  private void saw(NodeResource object) {
    observer.look();
    observer.saw(object);
  }

  /** {@code objectRead}: the object was read a moment ago; no CIDR goes otherwise. */
  private CompletionStage<PlanExecutor.Result> perform(CallContext admitted, boolean objectRead) {
    if (admitted.isCancelled()) {
      return replan(admitted);
    }
    observer.observe();
    MaintenancePlan plan = decide();
    return plan instanceof MaintenancePlan.ReleaseCidrs && !objectRead
        ? replan(admitted)
        : executor.perform(plan, admitted, node.environment().config().maintenance().passTimeout());
  }

  private static CompletionStage<PlanExecutor.Result> replan(CallContext admitted) {
    admitted.giveBackToken();
    return CompletableFuture.completedStage(new PlanExecutor.Result.Replan());
  }

  /** The pass has ended. */
  void ended(PlanExecutor.Result end) {
    if (end instanceof PlanExecutor.Result.Added added) {
      observer.added(added.addresses());
      whose.succeeded();
    } else if (end instanceof PlanExecutor.Result.GivenBack back) {
      view.gaveBack(back.addresses(), back.cidrs());
      writes.trigger("addresses released");
      back.rest().ifPresentOrElse(failure -> failed(failure, false), whose::succeeded);
    } else if (end instanceof PlanExecutor.Result.NoRoom noRoom) {
      whose.noRoom(node.name(), noRoom.detail());
    } else if (end instanceof PlanExecutor.Result.NotRunning) {
      backoffs.pool().notRunning();
      LOG.info("The instance is not running. node={} instance={}", node.name(), node.instanceId());
    } else if (end instanceof PlanExecutor.Result.Failed failure) {
      failed(failure.failure(), failure.readBack());
    }
  }

  /** The agent wrote something, so its instance runs. */
  void signOfLife() {
    backoffs.pool().signOfLife();
  }

  private void failed(Failure failure, boolean readBack) {
    if (failure.kind() == Failure.Kind.CANCELLED) {
      return;
    }
    whose.failed(node.name(), failure);
    if (readBack) {
      reader.readBack(node.operations().inventory());
    }
  }

  /** An event came: tells the queue how urgent the node is now, and whether a pass is needed. */
  boolean needsPass() {
    executor.reprioritize(priority());
    boolean needed = view.needsPass();
    if (!needed) {
      stuck = Optional.empty();
    }
    return needed;
  }

  private Priority priority() {
    NodeSnapshot now = view.snapshot();
    return now == null
        ? Priority.of(Priority.Rank.BELOW_WATERMARK)
        : now.priority(view.hadAddresses());
  }

  /** Why the node cannot go on: what forbids a decision, or what the last one met. */
  Optional<Blocked> blocked() {
    return forbidden().or(() -> stuck).or(backoffs.staticAddress()::blocked);
  }

  /** The first reason that forbids any decision now (3.6). */
  private Optional<Blocked> forbidden() {
    return observer.blocked().or(backoffs.pool()::blocked);
  }

  /** How long the pass has waited for its turn at the cloud; empty when it does not. */
  OptionalLong waitedNanos() {
    return executor.waitedNanos();
  }

  /** Whether a pass follows by time alone, or when the API can be used again. */
  boolean isWaiting() {
    return backoffs.willRetry()
        || preReleaseRead.pauses()
        || !node.environment().readiness().isReady()
        || view.releaseDue().isPresent()
        || (releasesByScanOnly() && view.handshake().isOurTurn());
  }

  /** When time makes a pass due; only instants to come. */
  OptionalLong nextWakeUp() {
    long now = node.environment().now();
    OptionalLong due =
        NodeTimer.earlier(backoffs.nextWakeUp(now), preReleaseRead.nextWakeUp(), now);
    return releasesByScanOnly() ? due : NodeTimer.earlier(due, view.releaseDue(), now);
  }

  /** In the reference's profile surplus waits for the scan (D-21). */
  private boolean releasesByScanOnly() {
    return node.environment().config().referenceCompatible();
  }
}
