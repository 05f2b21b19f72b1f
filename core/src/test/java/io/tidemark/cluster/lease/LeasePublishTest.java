package io.tidemark.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.lease.LeaseWorld.Contender;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Notes for the next leader, written at once (node-cidr 17.2 AM14)")
class LeasePublishTest {
  private static final Duration ROUND = Duration.ofMillis(25);

  private final LeaseWorld world = new LeaseWorld();
  private final List<Boolean> ends = new ArrayList<>();

  private Contender leader() {
    Contender one = world.contender("one");
    world.untilLeads(one);
    return one;
  }

  private void publish(Contender contender) {
    contender.lease.publish().thenAccept(ends::add);
  }

  @Test
  @DisplayName("published notes are on the server after one read and one write")
  void atOnce() {
    Contender one = leader();
    world.run(Duration.ofMillis(700));
    one.notes = Map.of("frontier", "7");
    publish(one);
    assertThat(ends).isEmpty();
    world.run(ROUND);
    assertThat(ends).containsExactly(true);
    assertThat(world.stored().notes()).containsEntry("frontier", "7");
    world.run(Duration.ofMinutes(1));
    assertThat(one.lost).isEmpty();
  }

  @Test
  @DisplayName("what changes while a renewal is under way is written by one more, at once")
  void duringRenewal() {
    Contender one =
        world.contender(
            "one",
            (site, at) -> EffectFate.answered(Duration.ofMillis(100), Duration.ofMillis(100)));
    world.untilLeads(one);
    one.notes = Map.of("frontier", "7");
    publish(one);
    world.run(Duration.ofMillis(350));
    one.notes = Map.of("frontier", "8");
    publish(one);
    assertThat(ends).isEmpty();
    world.run(Duration.ofMillis(60));
    assertThat(ends).containsExactly(true);
    assertThat(world.stored().notes()).containsEntry("frontier", "7");
    world.run(Duration.ofMillis(410));
    assertThat(ends).containsExactly(true, true);
    assertThat(world.stored().notes()).containsEntry("frontier", "8");
  }

  @Test
  @DisplayName("while the server is away a publication waits, and ends when it is back")
  void outage() {
    Contender one = leader();
    world.serverAway = true;
    one.notes = Map.of("frontier", "7");
    publish(one);
    world.run(Duration.ofSeconds(5));
    assertThat(ends).isEmpty();
    world.serverAway = false;
    world.run(Duration.ofSeconds(1));
    assertThat(ends).containsExactly(true);
    assertThat(world.stored().notes()).containsEntry("frontier", "7");
  }

  @Test
  @DisplayName("nothing is published without the lease, nor once it is lost or released")
  void withoutLease() {
    Contender one = leader();
    Contender two = world.contender("two");
    world.run(Duration.ofSeconds(1));
    publish(two);
    assertThat(ends).containsExactly(false);
    world.serverAway = true;
    publish(one);
    world.run(Duration.ofSeconds(20));
    assertThat(one.lost).hasSize(1);
    assertThat(ends).containsExactly(false, false);
    publish(one);
    assertThat(ends).containsExactly(false, false, false);
    world.serverAway = false;
    world.untilLeads(two);
    publish(two);
    two.lease.release();
    assertThat(ends).containsExactly(false, false, false, false);
  }

  @Test
  @DisplayName("a leader that does not know a note leaves it to the next one")
  void unknownNotes() {
    Contender one = leader();
    one.notes = Map.of("frontier", "7");
    publish(one);
    world.run(ROUND);
    one.lease.release();
    Contender two = world.contender("two");
    two.notes = Map.of("learned-rates", "x");
    world.untilLeads(two);
    assertThat(two.inherited).containsExactly(Map.entry("frontier", "7"));
    world.run(Duration.ofSeconds(5));
    assertThat(world.stored().notes()).isEqualTo(Map.of("frontier", "7", "learned-rates", "x"));
  }

  @Test
  @DisplayName("notes that a lease cannot hold are not written, and cost the lease nothing")
  void tooLong() {
    Contender one = leader();
    one.notes = Map.of("frontier", "7");
    publish(one);
    world.run(ROUND);
    one.notes = Map.of("frontier", "7".repeat(LeaseNotes.LENGTH_MAX + 1));
    publish(one);
    world.run(Duration.ofMinutes(1));
    assertThat(ends).containsExactly(true, false);
    assertThat(one.leads()).isTrue();
    assertThat(world.stored().notes()).isEqualTo(Map.of("frontier", "7"));
  }
}
