package io.tidemark.node;

import io.tidemark.error.ErrorCode;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.time.BackoffState;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The obstacles to a change of the cloud now: the pause after failures (node-manager 3.1, 13 D-14),
 * the grace of a stopped instance (3.6). Confined to the node's lane.
 */
final class NodeBackoff {
  private static final Logger LOG = LoggerFactory.getLogger(NodeBackoff.class);
  private static final long WARNING_INTERVAL_NANOS = Duration.ofHours(1).toNanos();

  /** Answers "no room" that may come one after the other before the node backs off. */
  private static final int NO_ROOM_REPLANS = 4;

  private final NodeEnvironment environment;
  private BackoffState backoff = BackoffState.NONE;
  private @Nullable Failure lastFailure;
  private boolean pausing;
  private long pauseEndsNanos;
  private boolean notRunning;
  private long graceEndsNanos;
  private int noRoomAnswers;
  private boolean warned;
  private long warnedNanos;

  NodeBackoff(NodeEnvironment environment) {
    this.environment = environment;
  }

  void succeeded() {
    backoff = backoff.succeeded(environment.config().backoff());
    pausing = false;
    noRoomAnswers = 0;
    lastFailure = null;
    notRunning = false;
  }

  /** No room there: the provider knows it now, so the next plan is another one. */
  void noRoom(String node, String detail) {
    noRoomAnswers++;
    if (noRoomAnswers >= NO_ROOM_REPLANS) {
      noRoomAnswers = 0;
      failed(node, Failure.of(Failure.Kind.CAPACITY, "noRoom", detail));
    }
  }

  /**
   * A pass failed: pause, longer with every failure; a failure that needs human action waits
   * longest.
   */
  void failed(String node, Failure failure) {
    long now = environment.now();
    backoff = backoff.failed(environment.config().backoff(), now);
    long pause = environment.backoffNanos(backoff.failures());
    if (failure.kind() == Failure.Kind.CONFIGURATION) {
      pause = environment.config().backoff().cap().toNanos();
    }
    if (failure.retryAfter().isPresent()) {
      pause = Math.max(pause, failure.retryAfter().get().toNanos());
    }
    pausing = true;
    pauseEndsNanos = now + pause;
    lastFailure = failure;
    if (backoff.failures() == 1) {
      LOG.warn("Changing the cloud failed; trying again. node={} cause={}", node, failure.toText());
    } else {
      LOG.debug(
          "Changing the cloud failed again. node={} failures={} kind={} detail={}",
          node,
          backoff.failures(),
          failure.kind(),
          failure.detail());
    }
  }

  void notRunning() {
    notRunning = true;
    graceEndsNanos =
        environment.now() + environment.config().maintenance().notRunningGrace().toNanos();
  }

  /** The agent wrote something, so its instance runs. */
  void signOfLife() {
    notRunning = false;
  }

  /**
   * Whether what failed is tried again before long. A stopped instance is probed and a refusal that
   * needs human action is repeated, but the next step is not ours.
   */
  boolean willRetry() {
    Failure failure = lastFailure;
    boolean refused = failure != null && failure.kind() == Failure.Kind.CONFIGURATION;
    boolean pauses = pausing && environment.now() - pauseEndsNanos < 0;
    return pauses && !refused && !notRunning;
  }

  Optional<Blocked> blocked() {
    long now = environment.now();
    if (notRunning && now - graceEndsNanos < 0) {
      return Optional.of(
          new Blocked(BlockedReason.INSTANCE_NOT_RUNNING, "the cloud says it is not running"));
    }
    if (pausing && now - pauseEndsNanos < 0) {
      Failure failure = lastFailure;
      boolean refused = failure != null && failure.kind() == Failure.Kind.CONFIGURATION;
      String detail = failure == null ? "after a failure" : failure.toText();
      return Optional.of(
          new Blocked(refused ? BlockedReason.CLOUD_REFUSED : BlockedReason.BACKING_OFF, detail));
    }
    return Optional.empty();
  }

  /** When time ends what keeps the node from trying; only instants to come. */
  OptionalLong nextWakeUp() {
    long now = environment.now();
    OptionalLong due = OptionalLong.empty();
    if (notRunning) {
      due = NodeEnvironment.earlier(due, OptionalLong.of(graceEndsNanos), now);
    }
    if (pausing) {
      due = NodeEnvironment.earlier(due, OptionalLong.of(pauseEndsNanos), now);
    }
    return due;
  }

  /** Logs that a node cannot go on, once an hour (3.9). */
  void report(String node, Blocked blocked) {
    boolean worthIt =
        blocked.reason() == BlockedReason.OUT_OF_INTERFACES
            || blocked.reason().kind() == ErrorCode.Kind.CONFIGURATION
            || blocked.reason().kind() == ErrorCode.Kind.CAPACITY;
    long now = environment.now();
    if (worthIt && (!warned || now - warnedNanos >= WARNING_INTERVAL_NANOS)) {
      warned = true;
      warnedNanos = now;
      LOG.warn(
          "The node is blocked. node={} reason={} {} detail={} remedy={}",
          node,
          blocked.reason().label(),
          blocked.reason(),
          blocked.detail(),
          blocked.reason().remedy());
    }
  }

  /**
   * The back-offs of one node, one for each kind of work: a failure of one kind does not delay the
   * others. Confined to the node's lane.
   *
   * @param pool of adding and releasing addresses
   * @param staticAddress of the public address
   * @param drain of adding addresses in place of those that leave
   */
  record Group(NodeBackoff pool, NodeBackoff staticAddress, NodeBackoff drain) {

    static Group of(NodeEnvironment environment) {
      return new Group(
          new NodeBackoff(environment), new NodeBackoff(environment), new NodeBackoff(environment));
    }

    /** Whose a failure of {@code plan} is, made for a node with these numbers. */
    NodeBackoff of(MaintenancePlan plan, NodeStatistics statistics) {
      if (plan instanceof MaintenancePlan.AssignStaticAddress) {
        return staticAddress;
      }
      return statistics.needed() == 0 && plan.asksFor() > 0 ? drain : pool;
    }

    /** Whether one of them is tried again before long. */
    boolean willRetry() {
      return pool.willRetry() || staticAddress.willRetry() || drain.willRetry();
    }

    /** When time ends what keeps one of them from being tried; only instants to come. */
    OptionalLong nextWakeUp(long now) {
      OptionalLong due =
          NodeEnvironment.earlier(pool.nextWakeUp(), staticAddress.nextWakeUp(), now);
      return NodeEnvironment.earlier(due, drain.nextWakeUp(), now);
    }
  }
}
