package io.tidemark.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.Priority.Rank;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Who gets the next token (performance E2.3)")
class TokenOrderTest {
  private static final List<Rank> RANKS = List.of(Rank.values());
  private static final CallKind KIND = Door.DESCRIBE;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final CloudCallsConfig FIXED =
      CloudCallsConfig.defaults().withPacing(CloudCallsConfig.Pacing.FIXED);

  private static final CallLimits EC2 = new CallLimits(5, 100, Duration.ofSeconds(5), 4);

  @ParameterizedTest
  @CsvSource({
    "PODS_WAITING, 0, PODS_WAITING",
    "PODS_WAITING, 900, PODS_WAITING",
    "BELOW_WATERMARK, 0, BELOW_WATERMARK",
    "BELOW_WATERMARK, 900, BELOW_WATERMARK",
    "REPAIR, 29, REPAIR",
    "REPAIR, 30, LIFTED",
    "VERIFY, 30, REPAIR",
    "VERIFY, 60, LIFTED",
    "RELEASE, 59, VERIFY",
    "RELEASE, 60, REPAIR",
    "SWEEP, 29, SWEEP",
    "SWEEP, 30, RELEASE",
    "SWEEP, 119, REPAIR",
    "SWEEP, 120, LIFTED",
    "SWEEP, 9000, LIFTED",
  })
  @DisplayName("each 30 s of waiting lift by one class, up to the watermark class, never beyond")
  void ageing(Rank rank, long waitedSeconds, Urgency expected) {
    assertThat(Urgency.of(rank, Duration.ofSeconds(waitedSeconds).toNanos())).isEqualTo(expected);
  }

  @Test
  @DisplayName("after a throttle waiting pods go as soon as the cloud has a token again")
  void podsAfterThrottle() {
    Door door = new Door(CloudCallsConfig.defaults(), 1, Map.of(KIND, EC2));
    List<String> sent = new ArrayList<>();
    throttle(door);
    for (int i = 0; i < 9; i++) {
      Rank rank = i < 4 ? Rank.BELOW_WATERMARK : Rank.PODS_WAITING;
      note(door, sent, new Priority(rank, 0), rank == Rank.PODS_WAITING ? "pods" : "fresh");
    }
    door.pass(Duration.ofMillis(800));
    assertThat(sent).as("at most half go before the fresh ones").hasSize(1);
    assertThat(sent.get(0)).startsWith("pods at PT0.206");
    door.pass(Duration.ofSeconds(10));
    assertThat(sent.stream().map(one -> one.substring(0, 4)))
        .containsExactly("pods", "fres", "pods", "fres", "pods", "fres", "pods", "fres", "pods");
  }

  @Test
  @DisplayName("after a throttle waiting pods use up what is kept when nobody else waits")
  void podsAloneAfterThrottle() {
    Door door = new Door(CloudCallsConfig.defaults(), 1, Map.of(KIND, EC2));
    List<String> sent = new ArrayList<>();
    throttle(door);
    for (int i = 0; i < 5; i++) {
      note(door, sent, new Priority(Rank.PODS_WAITING, 0), "pods");
    }
    door.pass(Duration.ofMillis(830));
    assertThat(sent).hasSize(4);
  }

  private static void throttle(Door door) {
    door.call(KIND, Duration.ofMillis(1), Door.always(Failure.Kind.THROTTLED));
  }

  private static void note(Door door, List<String> sent, Priority priority, String name) {
    door.calls.call(
        KIND,
        door.context(name, priority, HOUR),
        attempt -> sent.add(name + " at " + Duration.ofNanos(door.time.nanos())));
  }

  /** One that waits, as the oracle sees it. */
  private record Asked(String name, Rank rank, double deficit, long sinceNanos, int sequence) {
    Urgency urgency(long now) {
      return Urgency.of(rank, now - sinceNanos);
    }
  }

  /** The rules by the letter, looking at everybody each time. */
  private static final class Oracle {
    private final Map<String, Asked> waiting = new HashMap<>();
    private boolean podsWereLast;
    private int sinceLifted;

    String next(long now) {
      boolean below = has(Urgency.BELOW_WATERMARK, now);
      boolean lifted = has(Urgency.LIFTED, now);
      Urgency urgency;
      if (has(Urgency.PODS_WAITING, now) && !((below || lifted) && podsWereLast)) {
        urgency = Urgency.PODS_WAITING;
      } else if (lifted && (!below || sinceLifted >= 3)) {
        urgency = Urgency.LIFTED;
      } else {
        urgency =
            List.of(
                    Urgency.BELOW_WATERMARK,
                    Urgency.REPAIR,
                    Urgency.VERIFY,
                    Urgency.RELEASE,
                    Urgency.SWEEP)
                .stream()
                .filter(u -> has(u, now))
                .findFirst()
                .orElseThrow();
      }
      podsWereLast = urgency == Urgency.PODS_WAITING;
      if (urgency == Urgency.LIFTED) {
        sinceLifted = 0;
      } else if (urgency == Urgency.BELOW_WATERMARK) {
        sinceLifted++;
      }
      Comparator<Asked> byAge = Comparator.comparingInt(Asked::sequence);
      Comparator<Asked> byNeed = Comparator.comparingDouble(Asked::deficit).reversed();
      Asked chosen =
          waiting.values().stream()
              .filter(asked -> asked.urgency(now) == urgency)
              .min(urgency == Urgency.LIFTED ? byAge : byNeed.thenComparing(byAge))
              .orElseThrow();
      waiting.remove(chosen.name());
      return chosen.name();
    }

    private boolean has(Urgency urgency, long now) {
      return waiting.values().stream().anyMatch(asked -> asked.urgency(now) == urgency);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  @DisplayName("nobody overtakes: random arrivals, changes, departures against the rules by letter")
  void nobodyOvertakes(long seed) {
    Random random = new Random(seed);
    CallLimits slow = new CallLimits(1, 1, Duration.ofSeconds(5), 1);
    Door door = new Door(FIXED, seed, Map.of(KIND, slow));
    Oracle oracle = new Oracle();
    List<String> granted = new ArrayList<>();
    Map<String, Admission> admissions = new HashMap<>();
    door.call(KIND, HOUR, attempt -> "the first token");
    for (int i = 0; i < 400; i++) {
      // Never at the instant of a token, where the order of events is nobody's business.
      door.pass(Duration.ofMillis(500));
      for (int j = random.nextInt(4); j > 0; j--) {
        arrive(door, oracle, admissions, granted, random, i * 10 - j);
      }
      change(oracle, admissions, random);
      int before = granted.size();
      door.pass(Duration.ofMillis(500));
      if (granted.size() > before) {
        assertThat(granted.subList(before, granted.size()))
            .as("seed %d, second %d", seed, i)
            .containsExactly(oracle.next(door.time.nanos()));
      } else {
        assertThat(oracle.waiting).as("seed %d, second %d", seed, i).isEmpty();
        door.call(KIND, HOUR, attempt -> "keeps the bucket empty");
      }
    }
    assertThat(granted).hasSizeGreaterThan(300);
  }

  private static void arrive(
      Door door,
      Oracle oracle,
      Map<String, Admission> admissions,
      List<String> granted,
      Random random,
      int sequence) {
    Asked asked =
        new Asked("n" + sequence, rank(random), deficit(random), door.time.nanos(), sequence);
    oracle.waiting.put(asked.name(), asked);
    CallContext context =
        door.context(asked.name(), new Priority(asked.rank(), asked.deficit()), HOUR);
    Admission admission = door.calls.admit(List.of(KIND), context);
    admissions.put(asked.name(), admission);
    admission
        .stage()
        .thenAccept(
            result ->
                result.match(
                    admitted -> {
                      granted.add(admitted.node());
                      return door.calls.call(KIND, admitted, attempt -> "used");
                    },
                    failure -> failure));
  }

  private static void change(Oracle oracle, Map<String, Admission> admissions, Random random) {
    Optional<Asked> some =
        oracle.waiting.values().stream()
            .sorted(Comparator.comparingInt(Asked::sequence))
            .skip(random.nextInt(oracle.waiting.size() + 1))
            .findFirst();
    if (some.isEmpty()) {
      return;
    }
    Asked asked = some.get();
    Admission admission = admissions.get(asked.name());
    if (admission == null) {
      throw new AssertionError(asked + " was never admitted");
    }
    if (random.nextInt(3) == 0) {
      oracle.waiting.remove(asked.name());
      admission.cancel();
    } else {
      Asked other =
          new Asked(
              asked.name(), rank(random), deficit(random), asked.sinceNanos(), asked.sequence());
      oracle.waiting.put(other.name(), other);
      admission.reprioritize(new Priority(other.rank(), other.deficit()));
    }
  }

  private static Rank rank(Random random) {
    return RANKS.get(random.nextInt(RANKS.size()));
  }

  private static double deficit(Random random) {
    return random.nextInt(5) / 4.0;
  }

  @ParameterizedTest
  @ValueSource(strings = {"BELOW_WATERMARK", "REPAIR", "VERIFY", "RELEASE", "SWEEP"})
  @DisplayName("no class starves, whatever keeps arriving in the classes above it")
  void noClassStarves(Rank rank) {
    CallLimits slow = new CallLimits(1, 1, Duration.ofSeconds(5), 1);
    Door door = new Door(FIXED, 1, Map.of(KIND, slow));
    door.call(KIND, HOUR, attempt -> "the first token");
    Admission patient =
        door.calls.admit(List.of(KIND), door.context("patient", new Priority(rank, 0), HOUR));
    int seconds = 0;
    while (Door.pending(patient.stage()) && seconds < 600) {
      for (Rank other : Rank.values()) {
        if (other.compareTo(rank) < 0) {
          Priority urgent = new Priority(other, 9);
          door.calls.call(KIND, door.context("hungry", urgent, HOUR), attempt -> "more");
        }
      }
      door.pass(Duration.ofSeconds(1));
      seconds++;
    }
    assertThat(seconds).as("seconds until %s was served", rank).isLessThan(135);
  }
}
