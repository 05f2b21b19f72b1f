package io.tidemark.time;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Many requests, few runs: requests fold into one run that starts on the executor, never two at a
 * time and never closer than the kind's interval (node-manager 3.1 NM-T1 to NM-T6). Thread-safe;
 * holds no thread, and nothing is called under its lock.
 */
public final class Trigger {
  /** Distinct reasons that one run receives; further ones are counted but not named. */
  public static final int MAX_REASONS = 8;

  private static final System.Logger LOG = System.getLogger(Trigger.class.getName());

  private final TriggerKind kind;
  private final Executor executor;
  private final Function<Set<String>, @Nullable CompletionStage<?>> work;
  private final @Nullable Runnable shutdownHook;
  private Set<String> reasons = Set.of();
  private @Nullable Cancellable waiting;
  private long firstFoldNanos;
  private long lastStartNanos;
  private int folds;
  private boolean ranBefore;
  private Phase phase = Phase.IDLE;

  private enum Phase {
    IDLE,
    QUEUED,
    RUNNING,
    SHUT
  }

  private Trigger(
      TriggerKind kind,
      Executor executor,
      Function<Set<String>, @Nullable CompletionStage<?>> work,
      @Nullable Runnable shutdownHook) {
    this.kind = kind;
    this.executor = executor;
    this.work = work;
    this.shutdownHook = shutdownHook;
  }

  /** A trigger whose run is over when {@code work} returns; it is given the reasons. */
  public static Trigger of(TriggerKind kind, Executor executor, Consumer<Set<String>> work) {
    return new Trigger(kind, executor, plain(work), null);
  }

  /** As {@link #of}; the first {@link #shutdown} calls {@code shutdownHook}. */
  public static Trigger of(
      TriggerKind kind, Executor executor, Consumer<Set<String>> work, Runnable shutdownHook) {
    return new Trigger(kind, executor, plain(work), Objects.requireNonNull(shutdownHook));
  }

  /** A trigger whose run is over when the stage that {@code work} returns has ended. */
  public static Trigger ofStages(
      TriggerKind kind, Executor executor, Function<Set<String>, CompletionStage<?>> work) {
    return new Trigger(kind, executor, work, null);
  }

  private static Function<Set<String>, @Nullable CompletionStage<?>> plain(
      Consumer<Set<String>> work) {
    return reasons -> {
      work.accept(reasons);
      return null;
    };
  }

  /**
   * Requests a run. During a run it causes exactly one further run; after {@link #shutdown} it does
   * nothing.
   *
   * @param reason from a bounded set, for the run and for people
   */
  public void trigger(String reason) {
    boolean idle;
    synchronized (this) {
      if (phase == Phase.SHUT) {
        return;
      }
      fold(reason);
      idle = phase == Phase.IDLE;
      if (idle) {
        phase = Phase.QUEUED;
      }
    }
    kind.observer().queued();
    if (idle) {
      queue();
    }
  }

  /**
   * Ends it: nothing starts any more, a wait is withdrawn. A run in progress is interrupted by the
   * hook, which is called once, here, by the first caller.
   */
  public void shutdown() {
    Cancellable toCancel;
    synchronized (this) {
      if (phase == Phase.SHUT) {
        return;
      }
      phase = Phase.SHUT;
      toCancel = waiting;
      waiting = null;
      reasons = Set.of();
    }
    if (toCancel != null) {
      toCancel.cancel();
    }
    if (shutdownHook != null) {
      shutdownHook.run();
    }
  }

  /** Whether no run is queued or in progress; any thread. */
  public synchronized boolean isIdle() {
    return phase == Phase.IDLE || phase == Phase.SHUT;
  }

  private void fold(String reason) {
    if (folds == 0) {
      firstFoldNanos = kind.scheduler().time().nanos();
    }
    if (folds < Integer.MAX_VALUE) {
      folds++;
    }
    if (reasons.isEmpty()) {
      reasons = Set.of(reason);
    } else if (reasons.size() < MAX_REASONS && !reasons.contains(reason)) {
      reasons = reasons instanceof LinkedHashSet ? reasons : new LinkedHashSet<>(reasons);
      reasons.add(reason);
    }
  }

  private void queue() {
    long now = kind.scheduler().time().nanos();
    long delay;
    synchronized (this) {
      delay = TriggerKind.delayNanos(kind.minInterval().toNanos(), ranBefore, lastStartNanos, now);
    }
    if (delay == 0) {
      submit();
      return;
    }
    Cancellable timer = kind.scheduler().at(now + delay, this::submit);
    boolean shut;
    synchronized (this) {
      shut = phase == Phase.SHUT;
      if (phase == Phase.QUEUED) {
        waiting = timer;
      }
    }
    if (shut) {
      timer.cancel();
    }
  }

  private void submit() {
    executor.execute(this::run);
  }

  private void run() {
    long start = kind.scheduler().time().nanos();
    Set<String> why;
    long latency;
    int answered;
    synchronized (this) {
      if (phase != Phase.QUEUED) {
        return;
      }
      phase = Phase.RUNNING;
      waiting = null;
      why = reasons;
      reasons = Set.of();
      answered = folds;
      folds = 0;
      latency = start - firstFoldNanos;
      lastStartNanos = start;
      ranBefore = true;
    }
    CompletionStage<?> stage = null;
    try {
      stage = work.apply(why);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, () -> "A run of " + kind.name() + " failed", e);
    }
    if (stage == null) {
      ended(start, latency, answered);
    } else {
      stage.whenComplete((value, thrown) -> ended(thrown, start, latency, answered));
    }
  }

  private void ended(@Nullable Throwable thrown, long start, long latency, int answered) {
    if (thrown != null) {
      LOG.log(Level.ERROR, () -> "A run of " + kind.name() + " failed", thrown);
    }
    ended(start, latency, answered);
  }

  private void ended(long start, long latency, int answered) {
    long duration = kind.scheduler().time().nanos() - start;
    kind.observer().ran(Duration.ofNanos(duration), Duration.ofNanos(latency), answered);
    synchronized (this) {
      if (phase != Phase.RUNNING) {
        return;
      }
      phase = folds > 0 ? Phase.QUEUED : Phase.IDLE;
      if (phase == Phase.IDLE) {
        return;
      }
    }
    queue();
  }
}
