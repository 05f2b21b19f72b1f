package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class VirtualProcessTest {
  private final VirtualTime world = new VirtualTime(0);
  private final VirtualProcess process = world.process("operator");
  private final List<String> log = new ArrayList<>();

  private Runnable note(String text) {
    return () -> log.add(text + "@" + world.nanos());
  }

  @Test
  @DisplayName("A crash discards what the process has pending, and nothing of others")
  void crash() {
    VirtualProcess other = world.process("operator");
    process.execute(note("mine"));
    Cancellable timer = process.at(5, note("my timer"));
    Cancellable now = process.at(0, note("my event"));
    Cancellable withdrawn = process.at(0, note("withdrawn"));
    withdrawn.cancel();
    other.execute(note("other"));
    other.at(5, note("other's timer"));
    world.execute(note("world"));
    process.crash(VirtualProcess.OnTheWire.ARRIVES);
    assertThat(process.isAlive()).isFalse();
    assertThat(timer.cancel()).isFalse();
    assertThat(now.cancel()).isFalse();
    assertThat(world.pending()).isEqualTo(3);
    assertThat(world.runUntilIdle(10)).isTrue();
    assertThat(log).containsExactly("other@0", "world@0", "other's timer@5");
    assertThat(world.pending()).isZero();
  }

  @Test
  @DisplayName("A crashed process asks for things in vain; its successor does not")
  void afterCrash() {
    process.execute(
        () -> {
          process.crash(VirtualProcess.OnTheWire.ARRIVES);
          process.execute(note("dead"));
          assertThat(process.after(Duration.ZERO, note("dead")).cancel()).isFalse();
          log.add("its event runs to the end");
        });
    world.runUntil(1);
    world.process("operator").execute(note("alive"));
    world.runUntil(2);
    assertThat(log).containsExactly("its event runs to the end", "alive@1");
  }

  @Test
  @DisplayName("A frozen process is late but keeps its order; others go on")
  void freeze() {
    process.execute(note("before"));
    world.runUntil(1);
    process.freeze(Duration.ofNanos(99));
    process.execute(note("now"));
    process.at(30, note("timer 30"));
    Cancellable withdrawn = process.at(40, note("timer 40"));
    process.at(50, note("timer 50"));
    process.at(200, note("timer 200"));
    world.at(60, () -> assertThat(withdrawn.cancel()).isTrue());
    world.at(70, note("world"));
    world.runUntilIdle(1000);
    assertThat(log)
        .containsExactly(
            "before@0", "world@70", "now@100", "timer 30@100", "timer 50@100", "timer 200@200");
  }

  @Test
  @DisplayName("Each process has a wall clock of its own, on top of the world's")
  void clocks() {
    VirtualProcess other = world.process("other");
    process.clock().step(Duration.ofMinutes(10));
    world.clock().step(Duration.ofMillis(5));
    assertThat(process.time().epochMillis()).isEqualTo(600_005);
    assertThat(other.time().epochMillis()).isEqualTo(5);
    assertThat(process.time().nanos()).isZero();
  }
}
