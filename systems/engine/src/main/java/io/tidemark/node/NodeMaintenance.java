package io.tidemark.node;

import io.tidemark.demand.GrowthKind;
import io.tidemark.demand.LeadTimes;
import io.tidemark.metrics.Metric;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.ReleaseAction;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decision of a pass, and the consequences of its end for those that follow (node-manager
 * 3.6-3.8). Confined to the node's lane.
 */
final class NodeMaintenance {
  private static final Logger LOG = LoggerFactory.getLogger(NodeMaintenance.class);

  private final NodeParts node;
  private final NodeView view;
  private final NodeBackoff.Group backoffs;
  private final MaintenancePlanner planner;

  /** Reads of the object before a release that failed, and when the next one may be made. */
  private int readFailures;

  private long readNotBeforeNanos;

  /** Why the last plan could do nothing; what forbids any plan is not remembered here. */
  private Optional<Blocked> stuck = Optional.empty();

  /** Whose a failure of the last plan is; a pass carries out the last one. */
  private NodeBackoff whose;

  /**
   * Whether the cloud refused addresses for lack of room, and neither gave any nor failed since.
   */
  private boolean refusedForRoom;

  /** The step that is decided or under way, the one that ended, the one that is being listed. */
  private @Nullable Growth growing;

  private @Nullable Growth added;
  private @Nullable Growth listing;

  /** A step by which the pool grows, since it was first decided. */
  private record Growth(GrowthKind step, long sinceNanos) {}

  NodeMaintenance(NodeParts node, NodeView view) {
    this.node = node;
    this.view = view;
    this.backoffs = NodeBackoff.Group.of(node.environment());
    this.whose = backoffs.pool();
    this.planner =
        new MaintenancePlanner(
            node.operations(), node.environment().ports().provider().capabilities());
  }

  /**
   * Makes the plan of this moment and moves the handshake on accordingly (3.8, 4.5).
   *
   * @param untrusted why the cloud must not be changed, back-offs apart
   */
  MaintenancePlan decide(Optional<Blocked> untrusted) {
    stuck = Optional.empty();
    if (untrusted.isPresent()) {
      growing = null;
    }
    Optional<Blocked> forbidden = untrusted.or(backoffs.pool()::blocked);
    NodeSnapshot now = view.snapshot();
    if (forbidden.isPresent() || now == null) {
      forbidden.ifPresent(why -> backoffs.pool().report(node.name(), why));
      return new MaintenancePlan.Idle();
    }
    MaintenancePlan plan = step(plan(now), now);
    whose = backoffs.of(plan, now.statistics());
    long since = growing == null ? node.environment().now() : growing.sinceNanos();
    boolean grows = plan.adds() && now.statistics().needed() > 0; // what is replaced can wait
    growing = grows ? new Growth(plan.step(), since) : null;
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
    return planner.plan(
        now,
        readPauses() ? Set.of() : view.dueCidrs(),
        view::spareCidrs,
        backoffs.staticAddress().blocked().isEmpty(),
        backoffs.drain().blocked());
  }

  /** The current plan, for explanations; changes nothing. */
  Optional<MaintenancePlan> plan() {
    return Optional.ofNullable(view.snapshot()).map(this::plan);
  }

  /**
   * Reads the object immediately before what an agent dropped is given back (node-manager 4.9): no
   * agent promises not to use it again, and a watch may lag longer than the delay. Without an
   * answer nothing is given back for a while.
   *
   * @return ends on the lane: the object, where it was read and is still this node's
   */
  CompletionStage<Optional<NodeResource>> readObject() {
    return node.read().thenApplyAsync(this::objectRead, node.lane());
  }

  private Optional<NodeResource> objectRead(StoreResult result) {
    if (result instanceof StoreResult.Stored stored && node.owns(stored.resource())) {
      readFailures = 0;
      return Optional.of(stored.resource());
    }
    readFailures++;
    NodeEnvironment environment = node.environment();
    readNotBeforeNanos = environment.now() + environment.backoffNanos(readFailures);
    LOG.warn(
        "Reading the resource failed; addresses that its agent dropped are kept for now. node={}"
            + " cause={}",
        node.name(),
        result instanceof StoreResult.Failed failed ? failed.detail() : "it is gone or another's");
    return Optional.empty();
  }

  /** Whether the last look failed a moment ago, so that what was dropped stays. */
  private boolean readPauses() {
    return readFailures > 0 && node.environment().now() - readNotBeforeNanos < 0;
  }

  /**
   * The pass has ended.
   *
   * @return whether the cloud must be read before the next decision
   */
  boolean ended(PlanExecutor.Result end) {
    if (end instanceof PlanExecutor.Result.Added && added == null) {
      added = growing;
    }
    if (!(end instanceof PlanExecutor.Result.Failed held
        && held.failure().kind() == Failure.Kind.THROTTLED)) {
      growing = null;
    }
    if (whose != backoffs.staticAddress()) {
      boolean outdated =
          end instanceof PlanExecutor.Result.Added || end instanceof PlanExecutor.Result.Failed;
      refusedForRoom = end.isRefusalForRoom() || (refusedForRoom && !outdated);
    }
    if (end instanceof PlanExecutor.Result.Added) {
      whose.succeeded();
    } else if (end instanceof PlanExecutor.Result.GivenBack back) {
      back.rest().ifPresentOrElse(this::failed, whose::succeeded);
    } else if (end instanceof PlanExecutor.Result.NoRoom noRoom) {
      whose.noRoom(node.name(), noRoom.detail());
    } else if (end instanceof PlanExecutor.Result.NotRunning) {
      backoffs.pool().notRunning();
      LOG.info("The instance is not running. node={} instance={}", node.name(), node.instanceId());
    } else if (end instanceof PlanExecutor.Result.Failed failure) {
      failed(failure.failure());
      return failure.readBack() && failure.failure().kind() != Failure.Kind.CANCELLED;
    }
    return false;
  }

  /** A refusal for lack of room counts only while the node needs addresses. */
  void forgetRefusals() {
    NodeSnapshot now = view.snapshot();
    refusedForRoom &= now != null && now.statistics().needed() > 0;
  }

  /** Whether the cloud's last answer to a request for addresses was that it has no room. */
  boolean isRefusedForRoom() {
    return refusedForRoom;
  }

  /** A write of the object begins, which lists what passes have added so far. */
  void listing() {
    listing = added;
    added = null;
  }

  /** The write has ended; agents can use the addresses if it succeeded. */
  void listed(boolean done) {
    Growth ended = listing;
    listing = null;
    if (ended != null && !done) {
      added = ended;
    } else if (ended != null) {
      NodeEnvironment environment = node.environment();
      LeadTimes times = environment.demand().leadTimes();
      times.ended(ended.step(), environment.now() - ended.sinceNanos());
      if (environment.config().demand().isPresent()) {
        String step = ended.step().name().toLowerCase(Locale.ROOT);
        environment.ports().metrics().gauge(Metric.LEAD_TIME, step).set(times.of(ended.step()));
      }
    }
  }

  /** The agent wrote something, so its instance runs. */
  void signOfLife() {
    backoffs.pool().signOfLife();
  }

  private void failed(Failure failure) {
    if (failure.kind() != Failure.Kind.CANCELLED) {
      whose.failed(node.name(), failure);
    }
  }

  boolean needsPass() {
    boolean needed = view.needsPass();
    if (!needed) {
      stuck = Optional.empty();
    }
    return needed;
  }

  /** How urgent it is that the node gets addresses. */
  Priority priority() {
    NodeSnapshot now = view.snapshot();
    return now == null
        ? Priority.of(Priority.Rank.BELOW_WATERMARK)
        : now.priority(view.hadAddresses());
  }

  /** Why the node cannot go on: what forbids a decision (3.6), or what the last one met. */
  Optional<Blocked> blocked(Optional<Blocked> untrusted) {
    return withoutAddresses(untrusted).or(backoffs.staticAddress()::blocked);
  }

  /** Why the node gets no addresses for pods. */
  Optional<Blocked> withoutAddresses(Optional<Blocked> untrusted) {
    return untrusted.or(backoffs.pool()::blocked).or(() -> stuck);
  }

  /** Whether a pass follows by time alone, or when the API can be used again. */
  boolean isWaiting() {
    return backoffs.willRetry()
        || readPauses()
        || !node.environment().readiness().isReady()
        || view.releaseDue().isPresent()
        || (releasesByScanOnly() && view.handshake().isOurTurn());
  }

  /** When time makes a pass due; only instants to come. */
  OptionalLong nextWakeUp() {
    long now = node.environment().now();
    OptionalLong read = readPauses() ? OptionalLong.of(readNotBeforeNanos) : OptionalLong.empty();
    OptionalLong due = NodeEnvironment.earlier(backoffs.nextWakeUp(now), read, now);
    return releasesByScanOnly() ? due : NodeEnvironment.earlier(due, view.releaseDue(), now);
  }

  /** In the reference's profile surplus waits for the scan (D-21). */
  private boolean releasesByScanOnly() {
    return node.environment().config().isReferenceCompatible();
  }
}
