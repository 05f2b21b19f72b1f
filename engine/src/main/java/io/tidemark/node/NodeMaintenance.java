package io.tidemark.node;

import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.Blocked;
import io.tidemark.time.Trigger;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The passes of one node: gate, picture, plan, act, and what follows from how it ended
 * (node-manager 3.6-3.8). Confined to the node's lane, but for {@link #request}, {@link #isIdle}
 * and {@link #close}.
 */
final class NodeMaintenance {
  /** The longest that a pass waits for its turn; the next one begins at the end of the line. */
  private static final Duration LONGEST_QUEUE = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger(NodeMaintenance.class);
  private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

  private final NodeParts node;
  private final NodeView view;
  private final NodeWriting writing;
  private final InstanceReader reader;
  private final NodeBackoffs troubles;
  private final PreReleaseRead preReleaseRead;
  private final NodeGate gate;
  private final PlanExecutor passes;
  private final Runnable recalculate;
  private final Runnable publish;
  private final Trigger trigger;

  /** Why the last plan could do nothing; what the gate forbids is not remembered here. */
  private Optional<Blocked> stuck = Optional.empty();

  /** Whose a failure of the last plan is; a pass carries out the last one. */
  private NodeBackoff whose;

  private CompletionStage<?> pass = DONE;

  /**
   * Of one node.
   *
   * @param recalculate brings the view up to the inventory of this moment
   * @param publish tells how the node stands now
   */
  NodeMaintenance(
      NodeParts node,
      NodeView view,
      NodeWriting writing,
      InstanceReader reader,
      NodeBackoffs troubles,
      PreReleaseRead preReleaseRead,
      Runnable recalculate,
      Runnable publish) {
    this.node = node;
    this.view = view;
    this.writing = writing;
    this.reader = reader;
    this.troubles = troubles;
    this.whose = troubles.pool();
    this.preReleaseRead = preReleaseRead;
    this.recalculate = recalculate;
    this.publish = publish;
    this.gate = new NodeGate(node, writing, reader, troubles.pool());
    NodeManagerPorts ports = node.environment().ports();
    this.passes =
        new PlanExecutor(
            node.operations(),
            ports.provider().calls(),
            new PassMetrics(ports.metrics(), ports.scheduler().time()),
            ports.scheduler(),
            preReleaseRead,
            node.lane());
    this.trigger =
        Trigger.ofStages(
            node.environment().triggers().poolMaintainer(), node.lane(), reasons -> maintain());
  }

  /** Asks for a pass; any thread. */
  void request(String reason) {
    trigger.trigger(reason);
  }

  /** An event came: asks for a pass when there is something to do. */
  void requestIfNeeded(String reason) {
    passes.reprioritize(priority());
    if (view.needsPass()) {
      trigger.trigger(reason);
    } else {
      stuck = Optional.empty();
    }
  }

  /** Why the node cannot go on: what forbids a decision, or what the last one met. */
  Optional<Blocked> blocked() {
    return gate.blocked().or(() -> stuck);
  }

  /** The plan of this moment, for people; moves nothing. */
  Optional<MaintenancePlan> plan() {
    NodeSnapshot now = view.snapshot();
    return now == null ? Optional.empty() : Optional.of(view.plan(now, allowed()));
  }

  /** Whether no pass is queued or running; any thread. */
  boolean isIdle() {
    return trigger.isIdle();
  }

  /** Begins no pass any more; any thread. */
  void close() {
    trigger.shutdown();
  }

  /** Ends when no request of a pass is on the wire any more. */
  CompletionStage<?> quiet() {
    return pass;
  }

  private Allowed allowed() {
    return new Allowed(
        !preReleaseRead.pauses(),
        troubles.staticAddress().blocked().isEmpty(),
        troubles.drain().blocked());
  }

  /** Makes the plan and moves the handshake accordingly (3.8, 4.5). */
  private MaintenancePlan decide() {
    recalculate.run();
    Optional<Blocked> forbidden = gate.blocked();
    NodeSnapshot now = view.snapshot();
    if (forbidden.isPresent() || now == null) {
      return forbidden
          .<MaintenancePlan>map(MaintenancePlan.Stuck::new)
          .orElse(new MaintenancePlan.Idle());
    }
    ReleaseHandshake before = view.handshake();
    MaintenancePlan plan = view.planAndStep(now, allowed());
    whose = troubles.of(plan, now.statistics());
    if (view.handshake() != before) {
      writing.request("handshake changed");
    }
    return plan;
  }

  /** How long the pass has waited for its turn at the cloud; empty when it does not. */
  OptionalLong waitedNanos() {
    return passes.waitedNanos();
  }

  /** One pass (3.6). */
  private CompletionStage<?> maintain() {
    if (node.cancellation().isCancelled()) {
      return DONE;
    }
    MaintenancePlan plan = decide();
    stuck = Optional.empty();
    if (plan instanceof MaintenancePlan.Stuck blocked) {
      troubles.pool().report(node.name(), blocked.blocked());
      if (gate.blocked().isEmpty()) {
        stuck = Optional.of(blocked.blocked());
      }
    }
    if (PlanExecutor.opening(plan).isEmpty()) {
      writing.passEnded();
      publish.run();
      return DONE;
    }
    LOG.debug("Changing the cloud. node={} plan={}", node.name(), plan);
    CallContext context =
        CallContext.of(
            node.name(),
            plan instanceof MaintenancePlan.Release || plan instanceof MaintenancePlan.ReleaseCidrs
                ? Priority.of(Priority.Rank.RELEASE)
                : priority(),
            node.environment().now() + LONGEST_QUEUE.toNanos(),
            node.cancellation());
    Duration timeout = node.environment().config().engine().passTimeout();
    pass = passes.run(plan, this::decide, context, timeout).thenAccept(this::passEnded);
    return pass;
  }

  private void passEnded(PassEnd end) {
    if (node.cancellation().isCancelled()) {
      return;
    }
    if (end instanceof PassEnd.Added added) {
      writing.added(added.addresses());
      whose.succeeded();
    } else if (end instanceof PassEnd.GivenBack back) {
      view.gaveBack(back.addresses(), back.cidrs());
      writing.request("addresses released");
      if (back.rest().isPresent()) {
        failed(back.rest().get(), false);
      } else {
        whose.succeeded();
      }
    } else if (end instanceof PassEnd.NoRoom noRoom) {
      whose.noRoom(node.name(), noRoom.detail());
    } else if (end instanceof PassEnd.NotRunning) {
      troubles.pool().notRunning();
      LOG.info("The instance is not running. node={} instance={}", node.name(), node.instanceId());
    } else if (end instanceof PassEnd.Failed failure) {
      failed(failure.failure(), failure.readBack());
    }
    recalculate.run();
    writing.passEnded();
    trigger.trigger("pass ended");
    publish.run();
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

  private Priority priority() {
    NodeSnapshot now = view.snapshot();
    if (now == null) {
      return Priority.of(Priority.Rank.BELOW_WATERMARK);
    }
    return NodePriority.of(now, view.hadAddresses());
  }
}
