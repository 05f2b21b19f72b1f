package io.tidemark.node;

import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When a node's resource is written, and when again after a failure (node-manager 6). Confined to
 * the node's lane.
 *
 * <p>The first status of a node without addresses waits for the first pass: no agent can use it
 * before there are some, and then one write says both.
 */
final class NodeWriting {
  /** A first pass keeps the status from those who look at the node for this long at most. */
  static final Duration LONGEST_FIRST_PASS = Duration.ofSeconds(30);

  private static final int LONGEST_PAUSE_SECONDS = 30;
  private static final Logger LOG = LoggerFactory.getLogger(NodeWriting.class);

  private final String node;
  private final NodeEnvironment environment;
  private boolean firstPass;
  private boolean held;
  private long heldUntilNanos;
  private boolean failed;
  private int failures;
  private long nextNanos;
  private Optional<String> refusal = Optional.empty();

  /** {@code resource} is what the node begins with. */
  NodeWriting(String node, NodeEnvironment environment, NodeResource resource) {
    this.node = node;
    this.environment = environment;
    this.firstPass = resource.pool().isEmpty();
  }

  /** How a write of status and spec ended. */
  sealed interface Result {
    /** The object says what we want, is gone, or is not ours to write. */
    record Done() implements Result {}

    /** Given up for now; the spec was left alone when it was the status (NM-S5). */
    record Failed() implements Result {}

    /** As failed; the backend refuses what we want to write, and would refuse it again. */
    record Refused(String detail) implements Result {}
  }

  /** Whether a write of {@code now} begins, or waits for the first pass. */
  boolean begins(NodeSnapshot now) {
    firstPass = firstPass && now.statistics().available() == 0 && now.statistics().needed() > 0;
    if (firstPass && !held) {
      heldUntilNanos = environment.now() + LONGEST_FIRST_PASS.toNanos();
    }
    held = firstPass;
    failed &= held;
    return !held;
  }

  /**
   * A pass has ended, or could do nothing.
   *
   * @return whether a write has waited for that, which is due now
   */
  boolean firstPassEnded() {
    boolean due = held;
    firstPass = false;
    held = false;
    return due;
  }

  /**
   * A write has ended. After a failure it is made again, later with every failure. What was refused
   * waits longest, unless the object changes before; a failure that says nothing of the content
   * leaves a refusal in force.
   */
  void ended(Result result) {
    failed = !(result instanceof Result.Done);
    if (!failed) {
      failures = 0;
      refusal = Optional.empty();
      return;
    }
    failures++;
    int seconds = Math.min(LONGEST_PAUSE_SECONDS, 1 << Math.min(failures - 1, 5));
    if (result instanceof Result.Refused refused) {
      seconds = LONGEST_PAUSE_SECONDS;
      Optional<String> now = Optional.of(refused.detail());
      if (!now.equals(refusal)) {
        LOG.warn("The resource cannot be written. node={} cause={}", node, refused.detail());
      }
      refusal = now;
    }
    double jittered = seconds * (0.5 + environment.ports().random().nextDouble());
    nextNanos = environment.now() + (long) (jittered * 1e9);
  }

  /** Whether a failed write, or one that has waited for the first pass long enough, is due. */
  boolean isDueAgain() {
    boolean waitedLongest = held && environment.now() - heldUntilNanos >= 0;
    return failed || (waitedLongest && firstPassEnded());
  }

  /** Why the resource does not say what it should, where human action is needed. */
  Optional<Blocked> refused() {
    return refusal.map(detail -> new Blocked(BlockedReason.INVALID_RESOURCE, detail));
  }

  /** Whether the write is made again before long. */
  boolean isWaiting() {
    return failures > 0 && refusal.isEmpty();
  }

  /** When time makes a write due; only instants to come. */
  OptionalLong nextWakeUp() {
    long now = environment.now();
    OptionalLong again = failures > 0 ? OptionalLong.of(nextNanos) : OptionalLong.empty();
    OptionalLong longest = held ? OptionalLong.of(heldUntilNanos) : OptionalLong.empty();
    return NodeTimer.earlier(NodeTimer.earlier(OptionalLong.empty(), again, now), longest, now);
  }
}
