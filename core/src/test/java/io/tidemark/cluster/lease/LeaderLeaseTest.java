package io.tidemark.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.lease.LeaseWorld.Contender;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualProcess.OnTheWire;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The lease of the leader (reliability.md, two leaders)")
class LeaderLeaseTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final LeaseWorld world = new LeaseWorld();

  @Test
  @DisplayName("the first one leads at once, the second one waits")
  void firstLeads() {
    Contender one = world.contender("one");
    Contender two = world.contender("two");
    world.run(SECOND);
    assertThat(one.leads()).isTrue();
    assertThat(two.leads()).isFalse();
    assertThat(two.lease.holder()).contains("one");
    world.run(Duration.ofHours(1));
    assertThat(one.leads()).isTrue();
    assertThat(world.stored().transitions()).isZero();
  }

  @Test
  @DisplayName("a lease that does not exist is held with the request that creates it")
  void created() {
    Contender one = world.contender("one");
    world.untilLeads(one);
    assertThat(world.requests).as("a read and a creation").isEqualTo(2);
    world.run(SECOND);
    assertThat(world.stored().version()).as("writes until the first renewal").isEqualTo("1");
  }

  @ParameterizedTest(name = "killed {0} ms after a renewal")
  @ValueSource(ints = {0, 20, 500, 1_000, 1_900, 2_050})
  @DisplayName("a leader that was killed is followed within the lease and a second")
  void killed(int millisAfterRenewal) {
    Contender one = world.contender("one");
    Contender two = world.contender("two");
    world.run(Duration.ofSeconds(20));
    String renewal = world.stored().version();
    while (world.stored().version().equals(renewal)) {
      world.time.step();
    }
    world.run(Duration.ofMillis(millisAfterRenewal));
    one.process.crash(OnTheWire.ARRIVES);
    assertThat(world.untilLeads(two)).isLessThan(LeaseWorld.TIMING.lease().plus(SECOND));
    assertThat(world.stored().transitions()).isEqualTo(1);
  }

  @Test
  @DisplayName("the fence closes at the renew deadline, before anybody else can lead")
  void serverAway() {
    Contender one = world.contender("one");
    world.run(SECOND);
    world.serverAway = true;
    world.run(Duration.ofSeconds(7));
    assertThat(one.leads()).isTrue();
    world.run(Duration.ofSeconds(3));
    assertThat(one.leads()).isFalse();
    world.run(Duration.ofSeconds(3));
    assertThat(one.lost).singleElement().asString().contains("away", "https://api.example");
  }

  @Test
  @DisplayName(
      "notWonAtOnce() ends when another process leads or no answer comes, not when the lease is won")
  void notWonAtOnce() {
    Contender one = world.contender("one");
    world.run(SECOND);
    assertThat(one.leads()).isTrue();
    assertThat(one.lease.notWonAtOnce().toCompletableFuture()).isNotDone();
    Contender two = world.contender("two");
    world.run(SECOND);
    assertThat(two.lease.notWonAtOnce().toCompletableFuture()).as("another leads").isCompleted();
    world.serverAway = true;
    Contender three = world.contender("three");
    world.run(SECOND);
    assertThat(three.lease.notWonAtOnce().toCompletableFuture()).as("no answer").isCompleted();
  }

  @Test
  @DisplayName("a short outage of the API server costs nothing")
  void shortOutage() {
    Contender one = world.contender("one");
    world.run(SECOND);
    world.serverAway = true;
    world.run(Duration.ofSeconds(6));
    world.serverAway = false;
    world.run(Duration.ofMinutes(1));
    assertThat(one.leads()).isTrue();
    assertThat(one.lost).isEmpty();
  }

  @Test
  @DisplayName("a leader that was paused past its lease sends nothing when it goes on")
  void paused() {
    Contender one = world.contender("one");
    Contender two = world.contender("two");
    world.run(Duration.ofSeconds(5));
    one.process.freeze(Duration.ofSeconds(40));
    assertThat(world.untilLeads(two)).isLessThan(LeaseWorld.TIMING.lease().plus(SECOND));
    while (world.time.nanos() < Duration.ofSeconds(60).toNanos()) {
      assertThat(one.leads() && two.leads()).isFalse();
      world.time.step();
    }
    assertThat(one.lost).singleElement().asString().contains("two");
    assertThat(two.leads()).isTrue();
  }

  @Test
  @DisplayName("a wall clock that jumps ahead closes the fence until the next renewal")
  void wallClockJumps() {
    Contender one = world.contender("one");
    world.run(SECOND);
    one.process.clock().step(Duration.ofSeconds(60));
    assertThat(one.leads()).isFalse();
    world.run(Duration.ofSeconds(3));
    assertThat(one.leads()).isTrue();
  }

  @Test
  @DisplayName("a wall clock that is set back while the server is away holds no fence open")
  void wallClockSetBack() {
    Contender one = world.contender("one");
    world.run(SECOND);
    world.serverAway = true;
    world.run(SECOND);
    one.process.clock().step(Duration.ofSeconds(-5));
    world.run(Duration.ofSeconds(7));
    assertThat(one.leads()).isTrue();
    world.run(Duration.ofSeconds(2));
    assertThat(one.leads()).as("10 s after the renewal, by the monotonic clock").isFalse();
  }

  @Test
  @DisplayName("the clock of another machine counts for nothing")
  void skew() {
    Contender one = world.contender("one");
    Contender two = world.contender("two");
    two.process.clock().step(Duration.ofHours(1));
    Contender three = world.contender("three");
    three.process.clock().step(Duration.ofHours(-1));
    world.run(Duration.ofMinutes(10));
    assertThat(one.leads()).isTrue();
    assertThat(world.stored().transitions()).isZero();
  }

  @Test
  @DisplayName("a lease that somebody deleted is made again by its leader")
  void deleted() {
    Contender one = world.contender("one");
    world.run(SECOND);
    world.delete();
    world.run(Duration.ofSeconds(3));
    assertThat(one.leads()).isTrue();
  }

  @Test
  @DisplayName("an answer that is lost does not lose the lease")
  void lostAnswer() {
    int[] sent = {0};
    Contender one =
        world.contender(
            "one",
            (site, at) ->
                ++sent[0] % 3 == 0
                    ? EffectFate.answerLost(Duration.ofMillis(5))
                    : EffectFate.answered(Duration.ofMillis(5), Duration.ofMillis(5)));
    world.untilLeads(one);
    world.run(Duration.ofMinutes(2));
    assertThat(one.lost).isEmpty();
  }

  @Test
  @DisplayName("whatever is lost, slow, paused or set: never do two lead at once")
  void neverTwo() {
    for (long seed = 1; seed <= 60; seed++) {
      LeaseWorld troubled = new LeaseWorld();
      Random random = new Random(seed);
      for (int i = 0; i < 3; i++) {
        troubled.contender("c" + i, (site, at) -> fate(random));
      }
      while (troubled.time.nanos() < Duration.ofMinutes(10).toNanos()) {
        troubled.time.step();
        if (random.nextInt(400) == 0) {
          trouble(troubled, random);
        }
        long leading = troubled.contenders.stream().filter(Contender::leads).count();
        assertThat(leading).as("leaders at once, seed %d", seed).isLessThanOrEqualTo(1);
      }
    }
  }

  private static EffectFate fate(Random random) {
    return switch (random.nextInt(20)) {
      case 0 -> EffectFate.requestLost();
      case 1 -> EffectFate.answerLost(Duration.ofMillis(random.nextInt(3_000)));
      default ->
          EffectFate.answered(
              Duration.ofMillis(random.nextInt(2_000)), Duration.ofMillis(random.nextInt(2_000)));
    };
  }

  private static void trouble(LeaseWorld world, Random random) {
    Contender one = world.contenders.get(random.nextInt(world.contenders.size()));
    switch (random.nextInt(4)) {
      case 0 -> one.process.freeze(Duration.ofSeconds(random.nextInt(40)));
      case 1 -> one.process.clock().step(Duration.ofSeconds(random.nextInt(120) - 60));
      case 2 -> {
        one.process.crash(random.nextBoolean() ? OnTheWire.ARRIVES : OnTheWire.IS_LOST);
        world.contenders.remove(one);
        world.contender("n" + world.time.steps(), (site, at) -> fate(random));
      }
      default -> {
        one.lease.release();
        world.contenders.remove(one);
        world.contender("n" + world.time.steps(), (site, at) -> fate(random));
      }
    }
  }

  @Test
  @DisplayName("a renewal keeps the count of holders; what was learned goes with it")
  void renewals() {
    Contender one = world.contender("one");
    world.run(SECOND);
    one.notes = Map.of("learned-rates", "a/eu 2");
    world.run(Duration.ofSeconds(4));
    assertThat(world.stored().transitions()).isZero();
    assertThat(world.stored().notes()).isEqualTo(one.notes);
  }
}
