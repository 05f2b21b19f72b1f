package io.tidemark.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.lease.LeaseWorld.Contender;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The release of the leader's lease (reliability.md, two leaders)")
class LeaseReleaseTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final LeaseWorld world = new LeaseWorld();

  @Test
  @DisplayName("a lease that is given back is taken within three seconds, with what was learned")
  void released() {
    Contender one = world.contender("one");
    Contender two = world.contender("two");
    world.run(Duration.ofSeconds(20));
    one.notes = Map.of("learned-rates", "a/eu 1.5");
    one.lease.release();
    assertThat(one.lease.isOpen()).isFalse();
    assertThat(world.untilLeads(two)).isLessThan(Duration.ofSeconds(3));
    assertThat(two.inherited).isEqualTo(one.notes);
    assertThat(one.lost).isEmpty();
  }

  @Test
  @DisplayName("a lease that is not held is not given back")
  void releasedByStandby() {
    Contender one = world.contender("one");
    Contender two = world.contender("two");
    world.run(SECOND);
    LeaseRecord before = world.stored();
    assertThat(two.lease.release().toCompletableFuture()).isDone();
    assertThat(world.stored()).isEqualTo(before);
    world.run(Duration.ofMinutes(1));
    assertThat(one.leads()).as("the leader leads on").isTrue();
    assertThat(two.leads()).as("the released one leads").isFalse();
  }

  @Test
  @DisplayName("the end of a release waits for its request; a server that is away does not fail it")
  void releaseEnds() {
    Contender one = world.contender("one");
    world.run(SECOND);
    CompletableFuture<?> released = one.lease.release().toCompletableFuture();
    assertThat(released).isNotDone();
    while (!released.isDone() && world.time.step()) {
      assertThat(one.lease.isOpen()).isFalse();
    }
    assertThat(released).isCompleted();
    assertThat(world.stored().holder()).as("stored before the end").isEmpty();

    Contender two = world.contender("two");
    world.untilLeads(two);
    world.serverAway = true;
    CompletableFuture<?> away = two.lease.release().toCompletableFuture();
    world.run(SECOND);
    assertThat(away).isCompleted();
    assertThat(world.stored().holder()).isEqualTo("two");
  }

  @Test
  @DisplayName("a lease that another has taken meanwhile is left to it")
  void releasedTooLate() {
    Contender one = world.contender("one");
    Contender two = world.contender("two");
    world.run(SECOND);
    world.delete();
    world.untilLeads(two);
    assertThat(world.time.nanos()).as("before the first renewal").isLessThan(nanos(2));
    CompletableFuture<?> released = one.lease.release().toCompletableFuture();
    while (world.time.nanos() < nanos(60)) {
      assertThat(world.stored().holder()).isEqualTo("two");
      world.time.step();
    }
    assertThat(released).isCompleted();
    assertThat(two.leads()).isTrue();
  }

  private static long nanos(long seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  @DisplayName("an operator that is released before its first answer takes nothing")
  void releasedAtOnce() {
    Contender one = world.contender("one");
    CompletableFuture<?> released = one.lease.release().toCompletableFuture();
    assertThat(released).as("its request is under way").isNotDone();
    world.run(SECOND);
    assertThat(released).isCompleted();
    assertThat(world.requests).isEqualTo(1);
    Contender two = world.contender("two");
    world.run(SECOND);
    assertThat(two.leads()).isTrue();
  }

  @Test
  @DisplayName("after a release nothing waits to be done, of a leader and of a standby")
  void nothingIsLeft() {
    Contender one = world.contender("one");
    Contender two = world.contender("two");
    world.run(SECOND);
    two.lease.release();
    one.lease.release();
    world.run(SECOND);
    assertThat(world.time.pending()).isZero();
  }
}
