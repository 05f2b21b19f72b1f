package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TriggerTest {
  private final VirtualTime time = new VirtualTime(0);
  private final Seen seen = new Seen();
  private final List<Long> starts = new ArrayList<>();
  private final List<Set<String>> reasons = new ArrayList<>();

  private static final class Seen implements TriggerObserver {
    int queued;
    final List<String> runs = new ArrayList<>();

    @Override
    public void queued() {
      queued++;
    }

    @Override
    public void ran(Duration duration, Duration latency, int folds) {
      runs.add(duration.toMillis() + " ms, after " + latency.toMillis() + " ms, folds " + folds);
    }
  }

  private TriggerKind every(long millis) {
    return new TriggerKind("test", Duration.ofMillis(millis), time, seen);
  }

  private void started(Set<String> why) {
    starts.add(millis());
    reasons.add(why);
  }

  private long millis() {
    return time.nanos() / 1_000_000;
  }

  private void runUntil(long millis) {
    time.runUntil(millis * 1_000_000);
  }

  /** A trigger whose runs take {@code runMillis}. */
  private Trigger taking(long runMillis, long intervalMillis) {
    return Trigger.ofStages(
        every(intervalMillis),
        time,
        why -> {
          started(why);
          CompletableFuture<Void> end = new CompletableFuture<>();
          time.after(Duration.ofMillis(runMillis), () -> end.complete(null));
          return end;
        });
  }

  private void trigger(Trigger trigger, int times, long everyMillis) {
    for (int i = 0; i < times; i++) {
      trigger.trigger("again");
      runUntil(millis() + everyMillis);
    }
  }

  @DisplayName("C-30 a run waits for the rest of the interval, if there is one")
  @ParameterizedTest(name = "interval {0} ms, last run {1} ms ago: wait {2} ms")
  @CsvSource({"0, 0, 0", "1000, 2000, 0", "1000, 900, 100", "1000, 1100, 0", "1000, 1000, 0"})
  void needsDelay(long interval, long ago, long wait) {
    assertThat(TriggerKind.delayNanos(interval, true, 5000 - ago, 5000)).isEqualTo(wait);
    assertThat(TriggerKind.delayNanos(interval, false, 0, 5000)).isZero();
  }

  @Test
  @DisplayName("C-31 NM-T3 requests inside the interval run once, the rest after it")
  void minInterval() {
    Trigger trigger = Trigger.of(every(500), time, this::started);
    trigger(trigger, 5, 20);
    assertThat(starts).containsExactly(0L);
    runUntil(499);
    assertThat(starts).hasSize(1);
    runUntil(5000);
    assertThat(starts).containsExactly(0L, 500L);
  }

  @Test
  @DisplayName("C-32 NM-T2 a long run is not joined by another; NM-T4 one further run follows")
  void longRun() {
    Trigger trigger = taking(1000, 0);
    trigger(trigger, 5, 20);
    assertThat(starts).containsExactly(0L);
    runUntil(10_000);
    assertThat(starts).containsExactly(0L, 1000L);
  }

  @Test
  @DisplayName("NM-T3 the very first run has no delay, also long after the start of the world")
  void firstRun() {
    Trigger trigger = Trigger.of(every(60_000), time, this::started);
    runUntil(7);
    trigger.trigger("first");
    runUntil(8);
    assertThat(starts).containsExactly(7L);
  }

  @Test
  @DisplayName("NM-T1 a request only folds, names its reason once and reports that it is queued")
  void folds() {
    Trigger trigger = Trigger.of(every(10), time, this::started);
    trigger.trigger("a");
    trigger.trigger("b");
    trigger.trigger("a");
    assertThat(starts).isEmpty();
    assertThat(seen.queued).isEqualTo(3);
    runUntil(5);
    assertThat(reasons).containsExactly(Set.of("a", "b"));
    assertThat(seen.runs).containsExactly("0 ms, after 0 ms, folds 3");
  }

  @Test
  @DisplayName("NM-T1 more reasons than fit are counted, not kept")
  void boundedReasons() {
    Trigger trigger = Trigger.of(every(10), time, this::started);
    for (int i = 0; i < 100; i++) {
      trigger.trigger("reason " + i);
    }
    runUntil(1);
    assertThat(reasons).singleElement().matches(why -> why.size() == Trigger.MAX_REASONS);
    assertThat(seen.runs).containsExactly("0 ms, after 0 ms, folds 100");
  }

  @Test
  @DisplayName("NM-T5 metrics get the run's duration, the wait of its first request, the folds")
  void metrics() {
    Trigger trigger = taking(100, 0);
    trigger.trigger("first");
    runUntil(30);
    trigger.trigger("second");
    runUntil(60);
    trigger.trigger("third");
    runUntil(1000);
    assertThat(seen.runs)
        .containsExactly("100 ms, after 0 ms, folds 1", "100 ms, after 70 ms, folds 2");
  }

  @Test
  @DisplayName("C-33 NM-T6 the hook belongs to the shutdown alone, and is called once")
  void shutdownHook() {
    List<Long> hooks = new ArrayList<>();
    Trigger trigger = Trigger.of(every(0), time, this::started, () -> hooks.add(millis()));
    trigger.trigger("run");
    runUntil(5);
    assertThat(starts).hasSize(1);
    assertThat(hooks).isEmpty();
    trigger.shutdown();
    trigger.shutdown();
    assertThat(hooks).containsExactly(5L);
  }

  @Test
  @DisplayName("NM-T6 nothing runs after a shutdown, whether queued, waiting or asked for later")
  void noRunAfterShutdown() {
    Trigger queued = Trigger.of(every(0), time, this::started);
    queued.trigger("queued");
    queued.shutdown();
    Trigger waiting = Trigger.of(every(500), time, this::started);
    trigger(waiting, 2, 10);
    assertThat(starts).containsExactly(0L);
    waiting.shutdown();
    assertThat(time.pending()).as("the wait is withdrawn").isZero();
    waiting.trigger("late");
    Trigger running = taking(100, 0);
    trigger(running, 2, 10);
    running.shutdown();
    runUntil(10_000);
    assertThat(starts).containsExactly(0L, 20L);
  }

  @Test
  @DisplayName("A run that throws or whose stage fails is over, and the next request runs")
  void failedRuns() {
    List<String> order = new ArrayList<>();
    Trigger throwing =
        Trigger.of(
            every(0),
            time,
            why -> {
              order.add("throws");
              throw new IllegalStateException("no");
            });
    Trigger failing =
        Trigger.ofStages(
            every(0),
            time,
            why -> {
              order.add("fails");
              return CompletableFuture.failedFuture(new IllegalStateException("no"));
            });
    trigger(throwing, 2, 1);
    trigger(failing, 2, 1);
    assertThat(order).containsExactly("throws", "throws", "fails", "fails");
    assertThat(seen.runs).hasSize(4);
  }
}
