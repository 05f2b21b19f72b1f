package io.tidemark.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.lease.LeaseWorld.Contender;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualProcess.OnTheWire;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The lease of the leader (reliability.md, two leaders)")
class LeaderLeaseTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final LeaseWorld world = new LeaseWorld();

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

  @DisplayName("one leads, and never another beside it")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the first one leads at once, the second one waits \
            | one contends; two contends; 1s; one leads; two waits; two sees one; 1h; one leads; \
              transitions 0
          a lease that does not exist is held with the request that creates it, after a read \
            | one contends; one wins 1m; requests 2; 1s; version 1
          the fence closes at the renew deadline, before anybody else can lead \
            | one contends; 1s; away; 7s; one leads; 3s; one waits; 3s; one lost away; \
              one lost https://api.example
          notWonAtOnce() ends when another process leads or no answer comes, not when the lease is won \
            | one contends; 1s; one leads; one undecided; two contends; 1s; two beaten; away; \
              three contends; 1s; three beaten
          a short outage of the API server costs nothing \
            | one contends; 1s; away; 6s; back; 1m; one leads; one kept
          a wall clock that jumps ahead closes the fence until the next renewal \
            | one contends; 1s; one clock 60s; one waits; 3s; one leads
          a wall clock that is set back while the server is away holds no fence open: 10 s are over \
            | one contends; 1s; away; 1s; one clock -5s; 7s; one leads; 2s; one waits
          the clock of another machine counts for nothing \
            | one contends; two contends; two clock 1h; three contends; three clock -1h; 10m; \
              one leads; transitions 0
          a lease that somebody deleted is made again by its leader \
            | one contends; 1s; deleted; 3s; one leads
          a renewal keeps the count of holders; what was learned goes with it \
            | one contends; 1s; one notes learned-rates=2; 4s; transitions 0; stored learned-rates=2
          says why it cannot be read as long as it cannot, and leads when it can \
            | one contends; away; 1s; \
              one troubled lease get at https://api.example: the API server is away; \
              one sees nobody; one knows none; back; 3s; one untroubled; one knows lease-1; one kept
          a lease that is given back is taken within three seconds, with what was learned \
            | one contends; two contends; 20s; one notes learned-rates=1.5; one releases; one waits; \
              two wins 3s; two inherits learned-rates=1.5; one kept
          a lease that is not held is not given back \
            | one contends; two contends; 1s; version 1; two releases; two released; version 1; 1m; \
              one leads; two waits
          an operator that is released before its first answer takes nothing \
            | one contends; one releases; one releasing; 1s; one released; requests 1; \
              two contends; 1s; two leads
          after a release nothing waits to be done, of a leader and of a standby \
            | one contends; two contends; 1s; two releases; one releases; 1s; timers 0
          AM14 published notes are on the server after one read and one write \
            | one contends; one wins 1m; 700ms; one notes frontier=7; one publishes; one published; \
              25ms; one published true; stored frontier=7; 1m; one kept
          AM14 while the server is away a publication waits, and ends when it is back \
            | one contends; one wins 1m; away; one notes frontier=7; one publishes; 5s; \
              one published; back; 1s; one published true; stored frontier=7
          AM14 nothing is published without the lease, nor once it is lost or released \
            | one contends; one wins 1m; two contends; 1s; two publishes; two published false; away; \
              one publishes; 20s; one lost away; one published false; one publishes; \
              one published false, false; back; two wins 1m; two publishes; two releases; \
              two published false, false
          AM14 a leader that does not know a note leaves it to the next one \
            | one contends; one wins 1m; one notes frontier=7; one publishes; 25ms; one releases; \
              two contends; two notes learned-rates=x; two wins 1m; two inherits frontier=7; 5s; \
              stored frontier=7 learned-rates=x
          """)
  void story(String what, String story) {
    world.tell(story);
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
  @DisplayName("AM14 what changes while a renewal is under way is written by one more, at once")
  void publishedDuringRenewal() {
    Duration slow = Duration.ofMillis(100);
    world.contender("one", (site, at) -> EffectFate.answered(slow, slow));
    world.tell(
        "one wins 1m; one notes frontier=7; one publishes; 350ms; one notes frontier=8;"
            + " one publishes; one published; 60ms; one published true; stored frontier=7; 410ms;"
            + " one published true, true; stored frontier=8");
  }

  @Test
  @DisplayName("AM14 notes that a lease cannot hold are not written, and cost the lease nothing")
  void tooLongNotes() {
    world.tell(
        "one contends; one wins 1m; one notes frontier=7; one publishes; 25ms; one notes frontier="
            + "7".repeat(LeaseNotes.LENGTH_MAX + 1)
            + "; one publishes; 1m; one published true, false; one leads; stored frontier=7");
  }
}
