package io.tidemark.kubernetes.backend;

import io.tidemark.resilience.Fence;
import io.tidemark.resource.CatchUp;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The preparation of an operator before it begins to work, after it won the lease if there is one:
 * it lists all nodes, since its watch may show older versions than an earlier operator wrote.
 * Retries, with back-off, until it worked while the lease was held, or the lease is lost.
 * Thread-safe.
 */
final class TakeOver {
  private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final Function<EffectRunner, CompletionStage<CatchUp>> catchUp;
  private final EffectRunner effects;
  private final TaskScheduler scheduler;
  private final Fence lease;
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private volatile Optional<String> waitsFor = Optional.empty();
  private volatile boolean lost;

  /**
   * Of one process.
   *
   * @param catchUp lists all nodes as they are after the call
   * @param effects runs the requests
   * @param lease open while it is held; always open without an election
   */
  TakeOver(
      Function<EffectRunner, CompletionStage<CatchUp>> catchUp,
      EffectRunner effects,
      TaskScheduler scheduler,
      Fence lease) {
    this.catchUp = catchUp;
    this.effects = effects;
    this.scheduler = scheduler;
    this.lease = lease;
  }

  /**
   * The lease was won, or there is none. To be called once.
   *
   * @return ends when the work may begin; never when the lease is lost before
   */
  CompletionStage<?> begin() {
    waitsFor = Optional.of("the nodes are being listed before the work begins");
    attempt(FIRST_PAUSE);
    return done;
  }

  /** The lease is lost: nothing begins any more. */
  void end() {
    lost = true;
    waitsFor = Optional.empty();
  }

  /** The reason why the work waits since {@link #begin}; empty when it may begin. */
  Optional<String> waitsFor() {
    return waitsFor;
  }

  private void attempt(Duration pause) {
    if (!lost) {
      catchUp.apply(effects).whenComplete((end, thrown) -> ended(end, thrown, pause));
    }
  }

  private void ended(@Nullable CatchUp end, @Nullable Throwable thrown, Duration pause) {
    if (lost) {
      return;
    }
    if (end instanceof CatchUp.Done && lease.isOpen()) {
      waitsFor = Optional.empty();
      done.complete(null);
      return;
    }
    String cause =
        end instanceof CatchUp.Failed failed
            ? failed.detail()
            : end == null ? String.valueOf(thrown) : "the lease is not renewed in time";
    Optional<String> reason =
        Optional.of("the nodes could not be listed yet, so the work has not begun: " + cause);
    if (!reason.equals(waitsFor)) {
      LOG.warn("The nodes could not be listed before the work begins; retrying. cause={}", cause);
    }
    waitsFor = reason;
    Duration doubled = pause.multipliedBy(2);
    Duration next = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    scheduler.after(pause, () -> attempt(next));
  }
}
