package io.tidemark.kubernetes.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.time.Effect;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Requests to the API server keep operator-k8s-client-qps and -burst (node-manager 8)")
class PacedEffectsTest {
  private static final EffectSite SITE = new EffectSite("get", "n1");
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final VirtualTime time = new VirtualTime(0);
  private final EffectRunner wire =
      time.effects((site, at) -> EffectFate.answered(Duration.ZERO, Duration.ofMillis(1)));
  private final List<Long> begun = new ArrayList<>();

  private Effect<String> send(PacedEffects paced) {
    return paced.run(
        SITE,
        TIMEOUT,
        () -> {
          begun.add(time.nanos());
          return "done";
        });
  }

  @Test
  @DisplayName("a burst goes at once, the rest one by one, all in order and answered")
  void burst() {
    PacedEffects paced = new PacedEffects(wire, 10, 5, time);
    List<Effect<String>> sent = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      sent.add(send(paced));
    }
    time.runUntil(Duration.ofSeconds(10).toNanos());
    assertThat(begun.stream().map(nanos -> nanos / 1_000_000))
        .containsExactly(0L, 0L, 0L, 0L, 0L, 100L, 200L, 300L);
    assertThat(sent).allSatisfy(it -> assertThat(it.stage()).isCompletedWithValue("done"));
  }

  @Test
  @DisplayName("over any span no more than burst and the rate's share begin (seeded)")
  void bound() {
    for (long seed = 1; seed <= 50; seed++) {
      begun.clear();
      Random random = new Random(seed);
      int rate = 1 + random.nextInt(200);
      int burst = 1 + random.nextInt(50);
      PacedEffects paced = new PacedEffects(wire, rate, burst, time);
      for (int i = 0; i < 300; i++) {
        send(paced);
        time.runUntil(time.nanos() + random.nextInt(20_000_000));
      }
      time.runUntil(time.nanos() + Duration.ofMinutes(6).toNanos());
      assertThat(begun).as("seed %d", seed).hasSize(300).isSorted();
      for (int from = 0; from < begun.size(); from++) {
        for (int to = from + burst; to < begun.size(); to += 7) {
          double span = (begun.get(to) - begun.get(from)) / 1e9;
          assertThat(to - from + 1.0).as("seed %d", seed).isLessThan(burst + span * rate + 1.001);
        }
      }
    }
  }

  @Test
  @DisplayName(
      "those that wait begin twenty times a second at most, a group at once, as fast as before")
  void groups() {
    PacedEffects paced = new PacedEffects(wire, 100, 20, time);
    for (int i = 0; i < 120; i++) {
      send(paced);
    }
    time.runUntil(Duration.ofSeconds(10).toNanos());
    assertThat(begun).hasSize(120).isSorted();
    assertThat(begun.stream().distinct()).hasSize(21);
    assertThat(begun.get(119)).isEqualTo(Duration.ofSeconds(1).toNanos());
  }

  @Test
  @DisplayName("one that comes while others wait does not overtake them")
  void order() {
    PacedEffects paced = new PacedEffects(wire, 100, 20, time);
    for (int i = 0; i < 21; i++) {
      send(paced);
    }
    time.runUntil(Duration.ofMillis(45).toNanos());
    List<String> ends = new ArrayList<>();
    for (String each : List.of("first", "second")) {
      paced.run(SITE, TIMEOUT, () -> ends.add(each));
    }
    assertThat(begun).hasSize(20);
    time.runUntil(Duration.ofMillis(50).toNanos());
    assertThat(begun).hasSize(21);
    assertThat(ends).containsExactly("first", "second");
  }

  @Test
  @DisplayName("one that is given up in the line is never sent")
  void givenUp() {
    PacedEffects paced = new PacedEffects(wire, 1, 1, time);
    send(paced);
    Effect<String> second = send(paced);
    second.interrupt();
    time.runUntil(Duration.ofSeconds(10).toNanos());
    assertThat(begun).hasSize(1);
    assertThat(second.started()).isFalse();
    assertThat(second.stage().toCompletableFuture()).isCancelled();
  }
}
