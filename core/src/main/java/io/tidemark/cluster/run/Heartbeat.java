package io.tidemark.cluster.run;

import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows that timer and lanes still take turns: each beat goes through both. Thread-safe. */
final class Heartbeat implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

  private final TaskScheduler timer;
  private final Executor lanes;
  private volatile boolean closed;
  private volatile long timerNanos;
  private volatile long laneNanos;

  private Heartbeat(TaskScheduler timer, Executor lanes) {
    this.timer = timer;
    this.lanes = lanes;
    this.timerNanos = timer.time().nanos();
    this.laneNanos = timerNanos;
  }

  /** Beats from now on. */
  static Heartbeat start(TaskScheduler timer, Executor lanes) {
    Heartbeat heartbeat = new Heartbeat(timer, lanes);
    heartbeat.send();
    return heartbeat;
  }

  /** Why no beat arrives any more, as a sentence; empty while beats arrive. */
  Optional<String> missing() {
    long now = timer.time().nanos();
    Duration timerPause = Duration.ofNanos(now - timerNanos);
    if (timerPause.compareTo(LONGEST_PAUSE) > 0) {
      return Optional.of("the timer took no turn for " + timerPause.toSeconds() + " s");
    }
    Duration lanePause = Duration.ofNanos(now - laneNanos);
    return lanePause.compareTo(LONGEST_PAUSE) > 0
        ? Optional.of("the lanes of nodes took no turn for " + lanePause.toSeconds() + " s")
        : Optional.empty();
  }

  @Override
  public void close() {
    closed = true;
  }

  private void send() {
    if (closed) {
      return;
    }
    timerNanos = timer.time().nanos();
    timer.after(INTERVAL, this::send);
    try {
      lanes.execute(() -> laneNanos = timer.time().nanos());
    } catch (RejectedExecutionException e) {
      LOG.debug("The lanes refused a heartbeat: they are full, or closed while the engine stops");
    }
  }
}
