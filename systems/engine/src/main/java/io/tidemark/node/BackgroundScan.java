package io.tidemark.node;

import io.tidemark.metrics.Metric;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.BackoffPolicy;
import io.tidemark.time.Cancellable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The full scan of the account, a safety net (node-manager 5.1, 13 D-17): one at a time, the next
 * an interval after the last has ended, sooner after a failure. Thread-safe.
 */
final class BackgroundScan {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundScan.class);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(60);

  /** A throttled account is scanned so many times more rarely at most (D-17). */
  private static final int LONGEST_STRETCH = 4;

  private final NodeEnvironment environment;
  private final LongConsumer scanned;
  private final Cancellation cancellation = new Cancellation();
  private @Nullable Cancellable next;
  private boolean running;
  private boolean again;
  private int failures;
  private long lastSuccessNanos;
  private boolean everSucceeded;

  /** {@code scanned} receives the generation each successful scan began at. */
  BackgroundScan(NodeEnvironment environment, LongConsumer scanned) {
    this.environment = environment;
    this.scanned = scanned;
  }

  /**
   * Scans now; a scan in progress is followed by one more.
   *
   * @return whether this scan worked; false when another one was in progress
   */
  CompletionStage<Boolean> scan() {
    synchronized (this) {
      if (running || cancellation.isCancelled()) {
        again = running;
        return CompletableFuture.completedStage(false);
      }
      running = true;
      cancelNext();
    }
    long start = environment.now();
    long deadline = start + environment.config().maintenance().passTimeout().toNanos();
    CallContext context =
        CallContext.of("", Priority.of(Priority.Rank.SWEEP), deadline, cancellation);
    return environment
        .<SyncOutcome>ask(
            deadline,
            Failure.Kind.TRANSIENT,
            SyncOutcome.Failed::new,
            () -> environment.ports().provider().resync(context))
        .thenApply(outcome -> ended(outcome, start));
  }

  /** Time since the last scan that worked, since the start before the first. */
  synchronized Duration cacheAge() {
    return Duration.ofNanos(everSucceeded ? environment.now() - lastSuccessNanos : 0);
  }

  void close() {
    cancellation.cancel();
    cancelNext();
  }

  private synchronized void cancelNext() {
    if (next != null) {
      next.cancel();
      next = null;
    }
  }

  private boolean ended(SyncOutcome outcome, long start) {
    boolean worked = outcome instanceof SyncOutcome.Synced;
    boolean throttled = isThrottled(outcome);
    if (cancellation.isCancelled()) {
      return false;
    }
    environment
        .ports()
        .metrics()
        .record(
            Metric.BACKGROUND_SYNC_DURATION,
            environment.since(start),
            worked ? "success" : "failed");
    if (outcome instanceof SyncOutcome.Failed failed) {
      LOG.warn(
          "The full scan of the cloud failed{}. cause={}",
          throttled ? "; the next one waits longer" : "; nothing is changed until one works",
          failed.failure().toText());
    }
    if (outcome instanceof SyncOutcome.Synced synced) {
      environment.readiness().set(true);
      scanned.accept(synced.startedGeneration());
    } else if (!throttled) {
      environment.readiness().failed(failure(outcome));
    }
    schedule(worked, throttled, start);
    return worked;
  }

  private static Failure failure(SyncOutcome outcome) {
    return outcome instanceof SyncOutcome.Failed failed
        ? failed.failure()
        : Failure.of(Failure.Kind.TRANSIENT, "notRead", "a full scan names no instance");
  }

  /**
   * A slow account is not a broken one, once it was read (D-9); the reference knows no difference.
   */
  private synchronized boolean isThrottled(SyncOutcome outcome) {
    return everSucceeded
        && !environment.config().isReferenceCompatible()
        && outcome instanceof SyncOutcome.Failed failed
        && failed.failure().kind() == Failure.Kind.THROTTLED;
  }

  private void schedule(boolean worked, boolean throttled, long start) {
    synchronized (this) {
      running = false;
      failures = worked ? 0 : failures + 1;
      if (worked) {
        everSucceeded = true;
        lastSuccessNanos = start;
      }
      Duration pause = again ? Duration.ZERO : pause(worked, throttled);
      again = false;
      next = environment.ports().scheduler().after(pause, this::scan);
    }
  }

  /** How long a scan counts that worked: until after the next but one should have. */
  Duration freshness() {
    return usualPause().multipliedBy(2).plus(environment.config().maintenance().passTimeout());
  }

  private Duration usualPause() {
    Duration base = environment.config().maintenance().backgroundSyncInterval();
    Duration scaled = BackoffPolicy.scaled(base, environment.clusterSize().getAsInt());
    return scaled.compareTo(base) > 0 ? scaled : base;
  }

  private Duration pause(boolean worked, boolean throttled) {
    if (throttled) {
      return pause(true, false).multipliedBy(Math.min(LONGEST_STRETCH, 1 + failures));
    }
    if (!worked) {
      Duration linear = Duration.ofSeconds(failures);
      return linear.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : linear;
    }
    Duration base = environment.config().maintenance().backgroundSyncInterval();
    Duration longer = usualPause();
    double jitter = 0.9 + 0.2 * environment.ports().random().nextDouble();
    return environment.config().isReferenceCompatible()
        ? base
        : Duration.ofNanos((long) (longer.toNanos() * jitter));
  }
}
