package io.tidemark.node;

import io.tidemark.metrics.Metric;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only writer of a node's resource: status, then spec, each with bounded attempts on the fresh
 * object (node-manager 6). Used on the node's lane, one write at a time (NM-S4); requests run as
 * effects.
 */
final class NodeStatusWriter {
  private static final Logger LOG = LoggerFactory.getLogger(NodeStatusWriter.class);

  private static final int LOOKS = 3;

  private final NodeParts node;
  private final NodeObserver observer;
  private final ForeignWriterGuard foreignWriter;

  NodeStatusWriter(NodeParts node, NodeObserver observer) {
    this.node = node;
    this.observer = observer;
    this.foreignWriter = observer.foreignWriter();
  }

  /** How a write of status and spec ended. */
  sealed interface Result {
    /** The object says what we want, is gone, or is not ours to write. */
    record Done() implements Result {}

    /** The write failed and is repeated later; after a failed status the spec was left (NM-S5). */
    record Failed() implements Result {}

    /** As failed; the backend refuses what we want to write, and would refuse it again. */
    record Refused(String detail) implements Result {}
  }

  /**
   * Brings the object to what the observer's publication says. It is asked before each attempt at
   * the status, because handshake and interfaces must be of one moment; the spec gets the pool that
   * was taken with the status.
   *
   * @param last what was last known of the instance
   */
  CompletionStage<Result> write(NodeSnapshot last) {
    Optional<NodeResource> latest = node.latest();
    if (latest.isEmpty()) {
      return CompletableFuture.completedStage(new Result.Done());
    }
    observer.look(latest.get());
    OneWrite write = new OneWrite(last);
    return write
        .attempt(Part.STATUS, latest.get(), 1)
        .thenComposeAsync(end -> write.continueWith(Part.SPEC, end), node.lane())
        .thenComposeAsync(
            end ->
                write.moved
                    ? write.continueWith(Part.STATUS, end)
                    : CompletableFuture.completedStage(end),
            node.lane())
        .thenApply(End::result);
  }

  private enum Part {
    STATUS("updateStatus"),
    SPEC("update");

    final String operation;

    Part(String operation) {
      this.operation = operation;
    }
  }

  /** Where a part ended: the object to go on with; empty when there is none to write on. */
  private record End(Optional<NodeResource> resource, Result result) {
    static CompletionStage<End> on(NodeResource resource) {
      return CompletableFuture.completedStage(new End(Optional.of(resource), new Result.Done()));
    }

    static CompletionStage<End> nowhere(Result result) {
      return CompletableFuture.completedStage(new End(Optional.empty(), result));
    }
  }

  /** Status and spec once; the spec says the same as the status did last. Used on the lane. */
  private final class OneWrite {
    private final NodeSnapshot last;
    private Optional<NodePublication> published = Optional.empty();
    private boolean moved;

    OneWrite(NodeSnapshot last) {
      this.last = last;
    }

    CompletionStage<End> continueWith(Part next, End before) {
      return before.resource().isEmpty()
          ? CompletableFuture.completedStage(before)
          : attempt(next, before.resource().get(), 1);
    }

    CompletionStage<End> attempt(Part part, NodeResource base, int number) {
      if (foreignWriter.keepsStill() || node.cancellation().isCancelled() || !node.owns(base)) {
        return End.nowhere(new Result.Done());
      }
      boolean spec = part == Part.SPEC;
      Optional<NodeResource> wanted = spec ? published.map(said -> said.spec(base)) : status(base);
      if (wanted.isEmpty()) {
        return End.nowhere(new Result.Done());
      }
      NodeResource changed = wanted.get();
      if (spec ? base.sameSpec(changed) : base.sameStatus(changed)) {
        return End.on(base);
      }
      foreignWriter.sending(changed);
      return node.request(
              part.operation,
              store -> spec ? store.update(base, changed) : store.updateStatus(base, changed))
          .thenComposeAsync(result -> ended(part, base, number, result), node.lane());
    }

    /**
     * The status, of the same picture as pool and marks. Empty when the provider's picture keeps
     * changing while it is looked at: what changes it asks for a write anyway.
     */
    private Optional<NodeResource> status(NodeResource base) {
      for (int look = 0; look < LOOKS; look++) {
        Optional<NodePublication> now = observer.publication(last);
        Optional<NodeResource> changed = now.map(it -> it.status(base, node.operations()));
        if (now.isEmpty() || now.get().isOf(node.operations().inventory())) {
          published = now;
          moved |= now.isPresent() && now.get().moves(base);
          return changed;
        }
      }
      return Optional.empty();
    }

    private CompletionStage<End> ended(
        Part part, NodeResource base, int number, StoreResult result) {
      return result.match(
          stored -> {
            foreignWriter.stored(stored);
            observer.saw(stored);
            return End.on(stored);
          },
          () -> End.on(base),
          () -> {
            foreignWriter.refused();
            node.environment().ports().metrics().count(Metric.SYNC_CONFLICTS);
            return again(part, number, "the object is newer than the one the change was made on");
          },
          () -> End.nowhere(new Result.Done()),
          detail -> {
            foreignWriter.refused();
            return End.nowhere(new Result.Refused(detail));
          },
          detail -> again(part, number, detail));
    }

    private CompletionStage<End> again(Part part, int number, String why) {
      if (number >= node.environment().config().maintenance().syncAttempts()) {
        LOG.warn(
            "Writing the resource failed; the next trigger tries again. "
                + "node={} operation={} attempts={} cause={}",
            node.name(),
            part.operation,
            number,
            why);
        return End.nowhere(new Result.Failed());
      }
      LOG.debug(
          "Retrying the write on the current object. node={} operation={} cause={}",
          node.name(),
          part.operation,
          why);
      return node.read()
          .thenComposeAsync(
              result ->
                  result.match(
                      fresh -> {
                        // The watch may have brought a newer version meanwhile.
                        NodeResource newest = node.latest().orElse(fresh);
                        observer.look(newest);
                        observer.saw(newest);
                        return attempt(part, newest, number + 1);
                      },
                      () -> failedToRead(part, "unchanged"),
                      () -> failedToRead(part, "conflict"),
                      () -> End.nowhere(new Result.Done()),
                      detail -> failedToRead(part, detail),
                      detail -> failedToRead(part, detail)),
              node.lane());
    }

    private CompletionStage<End> failedToRead(Part part, String why) {
      LOG.warn(
          "Reading the resource failed; the next trigger tries again."
              + " node={} operation={} cause={}",
          node.name(),
          part.operation,
          why);
      return End.nowhere(new Result.Failed());
    }
  }

  /**
   * When a node's resource is written, and when again after a failure (node-manager 6). Confined to
   * the node's lane.
   *
   * <p>The first status of a node without addresses waits for the first pass: no agent can use it
   * before there are some, and then one write says both.
   */
  static final class WriteSchedule {
    /** A first pass keeps the status from those who look at the node for this long at most. */
    static final Duration LONGEST_FIRST_PASS = Duration.ofSeconds(30);

    private static final int LONGEST_PAUSE_SECONDS = 30;

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
    WriteSchedule(String node, NodeEnvironment environment, NodeResource resource) {
      this.node = node;
      this.environment = environment;
      this.firstPass = resource.pool().isEmpty();
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
     * A write has ended. After a failure it is made again, later with every failure. What was
     * refused waits longest, unless the object changes before; a failure that says nothing of the
     * content leaves a refusal in force.
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
      return NodeEnvironment.earlier(
          NodeEnvironment.earlier(OptionalLong.empty(), again, now), longest, now);
    }
  }
}
