package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Hang;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Hang.SECONDS)
class ThreadTaskSchedulerTest {
  private final TimeSource time = SystemTime.instance();
  private final ThreadTaskScheduler scheduler = ThreadTaskScheduler.start("test-timer", time);
  private final LinkedBlockingQueue<String> ran = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    scheduler.close();
  }

  /** Keeps the timer thread in a task until the latch opens. */
  private CountDownLatch hold() throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    scheduler.after(
        Duration.ZERO,
        () -> {
          held.countDown();
          try {
            release.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    held.await();
    return release;
  }

  @Test
  @DisplayName("Tasks run by due time, those of one instant in the order given, on one daemon")
  void order() throws InterruptedException {
    CountDownLatch release = hold();
    long past = time.nanos() - 1000;
    scheduler.at(past + 2, () -> ran.add("c"));
    scheduler.at(past, () -> ran.add("a " + Thread.currentThread().getName()));
    scheduler.at(past, () -> ran.add("b " + Thread.currentThread().isDaemon()));
    release.countDown();
    assertThat(List.of(ran.take(), ran.take(), ran.take()))
        .containsExactly("a test-timer-1", "b true", "c");
  }

  @Test
  @DisplayName("A task does not run before its time, and a sooner one overtakes a longer wait")
  void notBefore() throws InterruptedException {
    scheduler.after(Duration.ofHours(1), () -> ran.add("in an hour"));
    long due = time.nanos() + Duration.ofMillis(20).toNanos();
    scheduler.at(due, () -> ran.add(time.nanos() - due >= 0 ? "in time" : "early"));
    assertThat(ran.take()).isEqualTo("in time");
    assertThat(scheduler.pending()).isEqualTo(1);
  }

  @Test
  @DisplayName("A withdrawn task leaves nothing behind")
  void cancel() throws InterruptedException {
    List<Cancellable> timers = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      timers.add(scheduler.after(Duration.ofHours(i + 1), () -> ran.add("no")));
    }
    assertThat(scheduler.pending()).isEqualTo(1000);
    assertThat(timers).allMatch(Cancellable::cancel).noneMatch(Cancellable::cancel);
    assertThat(scheduler.pending()).isZero();
    CountDownLatch done = new CountDownLatch(1);
    Cancellable runs = scheduler.after(Duration.ZERO, done::countDown);
    done.await();
    assertThat(runs.cancel()).isFalse();
  }

  @Test
  @DisplayName("A task that throws does no harm to the next")
  void throwing() throws InterruptedException {
    scheduler.after(
        Duration.ZERO,
        () -> {
          throw new IllegalStateException("expected in this test's log");
        });
    scheduler.after(Duration.ZERO, () -> ran.add("next"));
    assertThat(ran.take()).isEqualTo("next");
  }

  @Test
  @DisplayName("After closing nothing runs, what waited is dropped, the thread ends")
  void closing() throws InterruptedException {
    CountDownLatch release = hold();
    scheduler.after(Duration.ZERO, () -> ran.add("dropped"));
    scheduler.close();
    scheduler.close();
    assertThat(scheduler.pending()).isZero();
    assertThat(scheduler.after(Duration.ZERO, () -> ran.add("late")).cancel()).isFalse();
    release.countDown();
    assertThat(scheduler.awaitClosed(Hang.LIMIT)).isTrue();
    assertThat(ran).isEmpty();
  }

  @Test
  @DisplayName("Many threads may schedule and withdraw at once")
  void concurrent() throws InterruptedException {
    int perThread = 2000;
    CountDownLatch due = new CountDownLatch(4 * perThread / 2);
    CountDownLatch finished = new CountDownLatch(4);
    for (int t = 0; t < 4; t++) {
      NamedThreads.start(
          "scheduling-" + t,
          () -> {
            for (int i = 0; i < perThread; i++) {
              if (i % 2 == 0) {
                scheduler.after(Duration.ofNanos(i * 1000L), due::countDown);
              } else {
                Cancellable timer = scheduler.after(Duration.ofHours(1), () -> ran.add("no"));
                if (!timer.cancel()) {
                  ran.add("not withdrawn");
                }
              }
            }
            finished.countDown();
          });
    }
    assertThat(finished.await(Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(due.await(Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(scheduler.pending()).isZero();
    assertThat(ran).isEmpty();
  }
}
