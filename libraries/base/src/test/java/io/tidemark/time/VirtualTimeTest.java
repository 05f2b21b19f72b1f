package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VirtualTimeTest {
  private final VirtualTime time = new VirtualTime(1_000_000);
  private final List<String> log = new ArrayList<>();

  private Runnable note(String text) {
    return () -> log.add(text + "@" + time.nanos());
  }

  @Test
  @DisplayName("Events run by instant, those of one instant in the order given")
  void order() {
    time.at(20, note("b"));
    time.at(10, note("a"));
    time.at(20, note("c"));
    time.execute(note("now"));
    time.at(-5, note("past"));
    time.at(
        10,
        () -> {
          time.execute(note("x"));
          time.at(10, note("y"));
          time.at(3, note("z"));
        });
    time.at(10, note("a2"));
    assertThat(time.runUntilIdle(100)).isTrue();
    assertThat(log)
        .containsExactly(
            "now@0", "past@0", "a@10", "a2@10", "x@10", "y@10", "z@10", "b@20", "c@20");
  }

  @Test
  @DisplayName("Running until an instant includes it and sets the clock there")
  void runUntil() {
    time.at(10, note("a"));
    time.at(11, note("b"));
    time.runUntil(10);
    assertThat(log).containsExactly("a@10");
    assertThat(time.pending()).isEqualTo(1);
    time.runUntil(500);
    assertThat(time.nanos()).isEqualTo(500);
    time.runUntil(400);
    assertThat(time.nanos()).as("time does not run back").isEqualTo(500);
  }

  @Test
  @DisplayName("Running until idle stops at the limit and stays at the last event")
  void runUntilIdle() {
    time.at(10, note("a"));
    time.at(900, note("b"));
    assertThat(time.runUntilIdle(800)).isFalse();
    assertThat(time.nanos()).isEqualTo(10);
    assertThat(time.runUntilIdle(900)).isTrue();
    assertThat(time.steps()).isEqualTo(2);
  }

  @Test
  @DisplayName("A withdrawn event does not run, wherever it waits, and no longer counts")
  void cancel() {
    Cancellable later = time.at(10, note("later"));
    Cancellable now = time.at(0, note("now"));
    time.execute(note("runs"));
    assertThat(time.pending()).isEqualTo(3);
    assertThat(later.cancel()).isTrue();
    assertThat(now.cancel()).isTrue();
    assertThat(now.cancel()).isFalse();
    assertThat(time.pending()).isEqualTo(1);
    assertThat(time.step()).isTrue();
    assertThat(time.step()).isFalse();
    assertThat(log).containsExactly("runs@0");
    Cancellable ran = time.at(5, note("ran"));
    time.runUntil(5);
    assertThat(ran.cancel()).isFalse();
    assertThat(time.pending()).isZero();
  }

  @Test
  @DisplayName("A delay beyond all time is the far future, not the past")
  void farFuture() {
    time.runUntil(10);
    time.after(Duration.ofSeconds(Long.MAX_VALUE), note("never"));
    time.after(Duration.ofDays(-1), note("at once"));
    time.runUntil(Duration.ofDays(36_500).toNanos());
    assertThat(log).containsExactly("at once@10");
  }

  @Test
  @DisplayName("The hook sees the world after every step")
  void hook() {
    List<Integer> sizes = new ArrayList<>();
    time.afterEachStep(() -> sizes.add(log.size()));
    time.execute(note("a"));
    time.at(3, note("b"));
    time.runUntil(9);
    assertThat(sizes).containsExactly(1, 2);
  }

  @Test
  @DisplayName("The wall clock steps and drifts, the monotonic one does not notice")
  void wallClock() {
    time.runUntil(Duration.ofSeconds(1).toNanos());
    assertThat(time.epochMillis()).isEqualTo(1_001_000);
    time.clock().step(Duration.ofHours(-1));
    assertThat(time.epochMillis()).isEqualTo(1_001_000 - 3_600_000);
    time.clock().drift(-500_000);
    time.runUntil(Duration.ofSeconds(3).toNanos());
    assertThat(time.epochMillis()).isEqualTo(1_002_000 - 3_600_000);
    time.clock().drift(0);
    time.runUntil(Duration.ofSeconds(4).toNanos());
    assertThat(time.epochMillis()).isEqualTo(1_003_000 - 3_600_000);
    assertThat(time.nanos()).isEqualTo(Duration.ofSeconds(4).toNanos());
  }

  @Test
  @DisplayName("A world that does not rest at one instant ends with its last steps")
  void livelockAtOneInstant() {
    VirtualTime bounded = new VirtualTime(0, Long.MAX_VALUE, 1000);
    VirtualProcess process = bounded.process("busy");
    Runnable again =
        new Runnable() {
          @Override
          public void run() {
            process.execute(this);
          }

          @Override
          public String toString() {
            return "again and again";
          }
        };
    for (int i = 0; i < 990; i++) {
      bounded.at(1, () -> {});
    }
    bounded.at(2, again);
    assertThatThrownBy(() -> bounded.runUntil(10))
        .isInstanceOf(VirtualTime.Livelock.class)
        .hasMessageContaining("1000 per instant")
        .hasMessageContaining("2 ns [busy] again and again");
    assertThat(bounded.steps()).isEqualTo(990 + 1001);
  }

  @Test
  @DisplayName("A world that never ends its work ends with the step budget")
  void livelockOverTime() {
    VirtualTime bounded = new VirtualTime(0, 500, 400);
    tick(bounded);
    assertThatThrownBy(() -> bounded.runUntil(10_000))
        .isInstanceOf(VirtualTime.Livelock.class)
        .hasMessageContaining("500 in all");
    assertThat(bounded.nanos()).isEqualTo(501);
  }

  private static void tick(VirtualTime world) {
    world.after(Duration.ofNanos(1), () -> tick(world));
  }

  @Test
  @DisplayName("An event that throws ends the run, the rest stays")
  void throwing() {
    time.execute(
        () -> {
          throw new IllegalStateException("found");
        });
    time.execute(note("rest"));
    assertThatThrownBy(() -> time.runUntil(1)).hasMessage("found");
    time.runUntil(1);
    assertThat(log).containsExactly("rest@0");
  }

  @Test
  @DisplayName("An event cannot run further events, and no other thread can touch the world")
  void misuse() throws InterruptedException {
    time.execute(time::step);
    assertThatThrownBy(time::step).hasMessageContaining("may not run further events");
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread other =
        NamedThreads.start(
            "other",
            () -> {
              try {
                time.execute(() -> {});
              } catch (IllegalStateException e) {
                thrown.complete(e);
              }
            });
    other.join();
    assertThat(thrown.getNow(new AssertionError("it could")))
        .hasMessageContaining("virtual time belongs to");
  }

  @DisplayName("Equal seeds give equal runs, event by event; other seeds other ones")
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 42, 20_260_801})
  void deterministic(long seed) {
    assertThat(randomRun(seed)).isEqualTo(randomRun(seed)).isNotEqualTo(randomRun(seed + 1));
  }

  private static List<String> randomRun(long seed) {
    VirtualTime world = new VirtualTime(0);
    SplittableRandom random = new SplittableRandom(seed);
    List<String> events = new ArrayList<>();
    VirtualProcess[] processes = {world.process("p0"), world.process("p1")};
    List<Cancellable> timers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      spawn(world, random, processes, events, timers, i);
    }
    world.runUntilIdle(2_000);
    events.add("steps " + world.steps() + ", pending " + world.pending());
    return events;
  }

  private static void spawn(
      VirtualTime world,
      SplittableRandom random,
      VirtualProcess[] processes,
      List<String> events,
      List<Cancellable> timers,
      int id) {
    int which = random.nextInt(2);
    Runnable task =
        () -> {
          events.add(world.nanos() + " " + id + " on " + processes[which].name());
          spawn(world, random, processes, events, timers, id);
          if (random.nextInt(50) == 0) {
            processes[which].crash(VirtualProcess.OnTheWire.ARRIVES);
            processes[which] = world.process("p" + which + "'");
          }
          if (random.nextInt(10) == 0) {
            processes[which].freeze(Duration.ofNanos(random.nextLong(30)));
          }
          events.add("withdrawn " + timers.get(random.nextInt(timers.size())).cancel());
        };
    timers.add(processes[which].at(world.nanos() + random.nextLong(20), task));
  }
}
