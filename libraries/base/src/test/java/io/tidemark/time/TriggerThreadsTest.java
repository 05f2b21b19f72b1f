package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Hang;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TriggerThreadsTest {
  private static final int THREADS = 4;
  private static final int EACH = 20_000;

  @Test
  @DisplayName("NM-T1 NM-T2 requests of many threads lose none, and no two runs overlap")
  void concurrent() throws InterruptedException {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger overlaps = new AtomicInteger();
    CountDownLatch answered = new CountDownLatch(THREADS * EACH);
    TriggerObserver observer =
        new TriggerObserver() {
          @Override
          public void queued() {}

          @Override
          public void ran(Duration duration, Duration latency, int folds) {
            for (int i = 0; i < folds; i++) {
              answered.countDown();
            }
          }
        };
    try (ThreadTaskScheduler scheduler =
            ThreadTaskScheduler.start("test-timer", SystemTime.instance());
        WorkerPool pool = new WorkerPool("test-lane", 3, 1000)) {
      TriggerKind kind = new TriggerKind("test", Duration.ofNanos(2000), scheduler, observer);
      Trigger trigger =
          Trigger.of(
              kind,
              pool,
              why -> {
                if (inside.incrementAndGet() != 1) {
                  overlaps.incrementAndGet();
                }
                inside.decrementAndGet();
              });
      for (int t = 0; t < THREADS; t++) {
        NamedThreads.start(
            "asking-" + t,
            () -> {
              for (int i = 0; i < EACH; i++) {
                trigger.trigger("ask");
              }
            });
      }
      assertThat(answered.await(Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(overlaps).hasValue(0);
  }
}
