package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TriggerPropertyTest {
  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @DisplayName("NM-T1 to NM-T5 hold for random requests and random lengths of runs")
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void random(long seed) {
    World world = new World(seed);
    world.time.runUntilIdle(Long.MAX_VALUE);
    assertThat(world.answered).as("every request is answered").isEqualTo(world.asked);
    assertThat(world.lastRequest).isLessThanOrEqualTo(world.lastStart);
    assertThat(world.runs).isPositive().isLessThanOrEqualTo(world.asked);
  }

  private static final class World implements TriggerObserver {
    final VirtualTime time = new VirtualTime(0);
    final SplittableRandom random;
    final long interval;
    final Trigger trigger;
    long lastStart = -1;
    long lastRequest;
    int asked;
    int answered;
    int runs;
    boolean running;

    World(long seed) {
      random = new SplittableRandom(seed);
      interval = random.nextLong(0, 50);
      trigger =
          Trigger.ofStages(
              new TriggerKind("test", Duration.ofNanos(interval), time, this), time, w -> run());
      int requests = random.nextInt(1, 60);
      for (int i = 0; i < requests; i++) {
        time.at(random.nextLong(0, 400), this::ask);
      }
    }

    void ask() {
      asked++;
      lastRequest = time.nanos();
      trigger.trigger("r" + random.nextInt(12));
    }

    CompletionStage<?> run() {
      assertThat(running).as("two runs at a time").isFalse();
      assertThat(lastStart < 0 || time.nanos() - lastStart >= interval).isTrue();
      running = true;
      runs++;
      lastStart = time.nanos();
      CompletableFuture<Void> end = new CompletableFuture<>();
      time.at(
          time.nanos() + random.nextLong(0, 40),
          () -> {
            running = false;
            end.complete(null);
          });
      return end;
    }

    @Override
    public void queued() {}

    @Override
    public void ran(Duration duration, Duration latency, int folds) {
      answered += folds;
      assertThat(latency).isGreaterThanOrEqualTo(Duration.ZERO);
    }
  }
}
