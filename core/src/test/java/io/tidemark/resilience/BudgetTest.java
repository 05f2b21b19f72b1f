package io.tidemark.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric;
import io.tidemark.resilience.CallKind.Effect;
import io.tidemark.resilience.CloudCallsConfig.Pacing;
import io.tidemark.resilience.Failure.Kind;
import io.tidemark.resilience.Priority.Rank;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random work of all sorts through one bucket. The rate only changes when an answer comes in, so
 * the integral is exact when the rate is noted after each step of the world.
 */
@DisplayName("Over any window no more calls go out than the burst plus the refill")
class BudgetTest {
  private static final CallKind KIND = new CallKind("Budgeted", Effect.REPEATABLE);
  private static final List<Rank> RANKS = List.of(Rank.values());
  private static final int BURST = 8;
  private static final double SECOND = 1e9;

  /** Rate from one instant to the next noted one. */
  private record Note(long nanos, double perSecond) {}

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {11, 12, 13, 14, 15, 16})
  @DisplayName("adaptive, with throttles, lost answers, admissions given back late and departures")
  void adaptive(long seed) {
    check(seed, CloudCallsConfig.defaults());
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {21, 22})
  @DisplayName("fixed")
  void fixed(long seed) {
    check(seed, CloudCallsConfig.defaults().withPacing(Pacing.FIXED));
  }

  private static void check(long seed, CloudCallsConfig config) {
    Random random = new Random(seed);
    CallLimits limits = new CallLimits(2, BURST, Duration.ofSeconds(3), 3);
    Door door = new Door(config, seed, Map.of(KIND, limits));
    door.wire.latency(site -> Duration.ofMillis(random.nextInt(900)));
    List<Note> rates = new ArrayList<>();
    List<Admission> held = new ArrayList<>();
    long end = Duration.ofMinutes(6).toNanos();
    long nextWork = 0;
    while (door.time.nanos() < end) {
      if (door.time.nanos() >= nextWork) {
        work(door, random, held);
        int pause = random.nextInt(10) == 0 ? 20_000 : 600;
        nextWork = door.time.nanos() + Duration.ofMillis(random.nextInt(pause)).toNanos();
        door.time.at(nextWork, () -> {});
      }
      rates.add(new Note(door.time.nanos(), rate(door)));
      assertThat(door.time.step()).isTrue();
    }
    assertThat(door.wire.sent().size()).as("seed %d, calls", seed).isGreaterThan(100);
    assertWithinBudget(seed, door.wire.sent(), rates);
  }

  private static double rate(Door door) {
    return door.measured.all(Metric.API_RATE).getOrDefault(KIND.name(), 2.0);
  }

  private static void work(Door door, Random random, List<Admission> held) {
    Rank rank = RANKS.get(random.nextInt(RANKS.size()));
    Duration deadline = Duration.ofMillis(500 + random.nextInt(60_000));
    CallContext context = door.context("n", rank, deadline);
    switch (random.nextInt(6)) {
      case 0 -> held.add(door.calls.admit(List.of(KIND), context));
      case 1 -> held.forEach(Admission::cancel);
      case 2 -> {
        // Everybody who was admitted some time ago calls at once.
        for (Admission admission : held) {
          if (!Door.pending(admission.stage())) {
            Door.now(admission.stage())
                .match(admitted -> call(door, random, admitted), failure -> failure);
          }
        }
        held.clear();
      }
      case 3 -> {
        call(door, random, context);
        context.cancellation().cancel();
      }
      default -> {
        for (int i = random.nextInt(6); i >= 0; i--) {
          call(door, random, context);
        }
      }
    }
  }

  private static Object call(Door door, Random random, CallContext context) {
    return door.calls.call(
        KIND,
        context,
        attempt -> {
          switch (random.nextInt(12)) {
            case 0 -> throw new Door.CloudError(Kind.THROTTLED);
            case 1 -> throw new Wire.Silence();
            case 2 -> throw new Door.CloudError(Kind.CAPACITY);
            default -> {
              return "done";
            }
          }
        });
  }

  /**
   * The worst window that ends at a call is the one where "calls minus refill" grew most: one pass
   * finds it. Half a token is left for the rounding of a timer to whole nanoseconds and of a sum of
   * doubles, which together stay far below; a whole call too many would be seen.
   */
  private static void assertWithinBudget(long seed, List<Wire.Sent> sent, List<Note> rates) {
    double refilled = 0;
    double least = 0;
    int note = 0;
    long now = rates.get(0).nanos();
    for (int i = 0; i < sent.size(); i++) {
      long at = sent.get(i).nanos();
      while (now < at) {
        boolean last = note + 1 >= rates.size();
        long until = last ? at : Math.min(at, rates.get(note + 1).nanos());
        refilled += (until - now) / SECOND * rates.get(note).perSecond();
        now = until;
        if (!last && now >= rates.get(note + 1).nanos()) {
          note++;
        }
      }
      while (note + 1 < rates.size() && rates.get(note + 1).nanos() <= now) {
        note++;
      }
      double before = i - refilled;
      least = Math.min(least, before);
      assertThat(before + 1 - least)
          .as("seed %d, call %d at %s", seed, i, Duration.ofNanos(at))
          .isLessThanOrEqualTo(BURST + 0.5);
    }
  }
}
