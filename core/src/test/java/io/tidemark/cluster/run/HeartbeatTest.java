package io.tidemark.cluster.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The heartbeat")
class HeartbeatTest {
  private final VirtualTime time = new VirtualTime(0);
  private boolean lanesStand;
  private boolean lanesRefuse;
  private boolean timerStands;

  private final Executor lanes =
      task -> {
        if (lanesRefuse) {
          throw new RejectedExecutionException("full, or closed");
        }
        if (!lanesStand) {
          time.execute(task);
        }
      };

  private final TaskScheduler timer =
      new TaskScheduler() {
        @Override
        public TimeSource time() {
          return time;
        }

        @Override
        public Cancellable at(long dueNanos, Runnable task) {
          return timerStands ? () -> false : time.at(dueNanos, task);
        }
      };

  private void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  @Test
  @DisplayName("is there while timer and lanes take turns")
  void beats() {
    Heartbeat heartbeat = Heartbeat.start(timer, lanes);
    pass(Duration.ofMinutes(10));
    assertThat(heartbeat.missing()).isEmpty();
  }

  @Test
  @DisplayName("is missing when the lanes stand still, and back when they go on")
  void lanes() {
    Heartbeat heartbeat = Heartbeat.start(timer, lanes);
    pass(Duration.ofMinutes(1));
    lanesStand = true;
    pass(Duration.ofSeconds(14));
    assertThat(heartbeat.missing()).isEmpty();
    pass(Duration.ofSeconds(6));
    assertThat(heartbeat.missing()).hasValue("the lanes of nodes took no turn for 20 s");
    lanesStand = false;
    pass(Duration.ofSeconds(2));
    assertThat(heartbeat.missing()).isEmpty();
  }

  @Test
  @DisplayName("is missing while the lanes refuse it, which fails no task of the timer")
  void refused() {
    Heartbeat heartbeat = Heartbeat.start(timer, lanes);
    pass(Duration.ofMinutes(1));
    lanesRefuse = true;
    pass(Duration.ofSeconds(20));
    assertThat(heartbeat.missing()).hasValue("the lanes of nodes took no turn for 20 s");
    lanesRefuse = false;
    pass(Duration.ofSeconds(2));
    assertThat(heartbeat.missing()).isEmpty();
  }

  @Test
  @DisplayName("is missing when the timer stands still")
  void timer() {
    Heartbeat heartbeat = Heartbeat.start(timer, lanes);
    pass(Duration.ofMinutes(1));
    timerStands = true;
    pass(Duration.ofSeconds(21));
    assertThat(heartbeat.missing()).hasValue("the timer took no turn for 20 s");
  }
}
