package io.tidemark.nodecidr.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.NodeChange;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.TestCidrs;
import io.tidemark.nodecidr.controller.CidrNodeReport.State;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.CidrLedger.CooledNode;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Take-overs by what the lease says (node-cidr 17.3 AM18)")
class TakeOverTest {
  private static final Duration HOLD = Duration.ofSeconds(75);
  private static final Cidr RANGE = Cidr.parse("10.0.0.0/8");
  private static final ClusterCidrs CIDRS = TestCidrs.of(RANGE + ",24");

  private ControllerWorld world = new ControllerWorld("10.0.0.0/16,24");

  @BeforeEach
  void lease() {
    world.hasLease = true;
    world.rebuilt();
  }

  private void serve(String... names) {
    for (String name : names) {
      world.create(name);
    }
    world.settle();
  }

  /** Another controller leads, by what the lease says. */
  private void takeOver() {
    world.crash();
    assertThat(world.rebuilt().start(CidrTakeOver.of(world.note, HOLD))).isTrue();
  }

  private void stop() {
    var stopped = world.controller.stop().toCompletableFuture();
    world.pass(11);
    assertThat(stopped).isDone();
    world.note = world.controller.notes().getOrDefault(NodeCidrController.NOTE, world.note);
  }

  @Test
  @DisplayName("NC-AM18 nothing is given out before the lease says how far")
  void publishedFirst() {
    world.leaseAnswers = false;
    world.create("a");
    assertThat(world.start()).isFalse();
    world.pass(10);
    assertThat(world.cidrsOf("a")).isEmpty();
    assertThat(world.controller.isSettled()).isFalse();
    world.leaseAnswers = true;
    world.pass(2);
    assertThat(world.cidrsOf("a")).isEqualTo("10.0.0.0/24");
    assertThat(world.note).isEqualTo("1 works range,10.0.0.0/16,24,16");
  }

  @Test
  @DisplayName("NC-P7 the conflict with a node that is deleted before its first look is solved")
  void deletedBeforeFirstLook() {
    world.leaseAnswers = false;
    world.create("one", "10.0.0.0/24");
    world.create("two", "10.0.0.0/24");
    assertThat(world.start()).isFalse();
    world.server.delete("two");
    world.settle();
    world.leaseAnswers = true;
    world.pass(2);
    assertThat(world.stateOf("one")).isEqualTo("ASSIGNED");
  }

  @Test
  @DisplayName("NC-AM18 the lease is written again when half of that was given out")
  void ahead() {
    world.start();
    serve("n1", "n2", "n3", "n4", "n5", "n6", "n7");
    assertThat(world.note).isEqualTo("1 works range,10.0.0.0/16,24,16");
    serve("n8");
    assertThat(world.note).isEqualTo("1 works range,10.0.0.0/16,24,24");
    world.create("high", "10.0.99.0/24");
    world.settle();
    assertThat(world.note).isEqualTo("1 works range,10.0.0.0/16,24,116");
  }

  @Test
  @DisplayName("NC-AM18 while the lease cannot be written, what it says is given out, and no more")
  void limit() {
    world.start();
    world.leaseAnswers = false;
    for (int i = 0; i < 20; i++) {
      world.create("n" + i);
    }
    world.pass(5);
    assertThat(world.in(State.ASSIGNED)).isEqualTo(16);
    assertThat(world.stateOf("n19")).isEqualTo("WAITING");
    assertThat(world.events).isEmpty();
    world.leaseAnswers = true;
    world.pass(2);
    assertThat(world.in(State.ASSIGNED)).isEqualTo(20);
    assertThat(world.controller.isSettled()).isTrue();
  }

  @Test
  @DisplayName("NC-AM18 NC-B28 after a crash, blocks that nobody had are given out at once")
  void crash() {
    world.start();
    serve("a", "b");
    world.fates.add(EffectFate.answered(Duration.ofSeconds(59), Duration.ZERO));
    serve("late");
    takeOver();
    serve("c");
    assertThat(world.cidrsOf("c", "late")).containsExactly("10.0.17.0/24", "10.0.16.0/24");
    assertThat(world.note).isEqualTo("1 works range,10.0.0.0/16,24,32");
    world.pass(76);
    serve("d");
    assertThat(world.cidrsOf("d")).as("the search goes on").isEqualTo("10.0.18.0/24");
  }

  @Test
  @DisplayName("NC-AM18 after a whole round nothing is given out before the hold ends")
  void wrapped() {
    world = new ControllerWorld("10.0.0.0/24,26");
    lease();
    world.start();
    serve("a", "b", "c");
    assertThat(world.note).isEqualTo("1 works range,10.0.0.0/24,26,4");
    takeOver();
    serve("d");
    assertThat(world.stateOf("d")).isEqualTo("PARKED CIDR_WITHHELD");
    world.pass(76);
    assertThat(world.cidrsOf("d")).isEqualTo("10.0.0.192/26");
  }

  @Test
  @DisplayName("NC-AM18 nor when the blocks have another length now, or the note cannot be read")
  void otherBlocks() {
    for (String note :
        new String[] {"1 works range,10.0.0.0/16,25,16", "2 works", "", "1 x range,1"}) {
      world = new ControllerWorld("10.0.0.0/16,24");
      lease();
      world.note = note;
      takeOver();
      serve("a");
      assertThat(world.stateOf("a")).as(note).isEqualTo("PARKED CIDR_WITHHELD");
      world.pass(76);
      assertThat(world.cidrsOf("a")).as(note).isEqualTo("10.0.0.0/24");
    }
  }

  @Test
  @DisplayName("NC-AM18 NC-B25 after an end in order the search and the cooldowns go on")
  void clean() {
    world = new ControllerWorld("10.0.0.0/24,26");
    lease();
    world.start();
    serve("a", "b", "c");
    world.server.delete("a");
    world.pass(20);
    stop();
    assertThat(world.note)
        .matches("1 ended range,10.0.0.0/24,26,3 gone,a,[0-9a-f-]+,4[01],10.0.0.0/26");
    takeOver();
    serve("d", "e");
    assertThat(world.cidrsOf("d")).isEqualTo("10.0.0.192/26");
    assertThat(world.stateOf("e")).isEqualTo("PARKED CIDR_WITHHELD");
    world.assertUsed(3, 0, 1);
    world.pass(42);
    assertThat(world.cidrsOf("e")).isEqualTo("10.0.0.0/26");
  }

  @Test
  @DisplayName("NC-AM18 an end while a write has no result is not in order")
  void unknown() {
    world.start();
    for (int i = 0; i < 9; i++) {
      world.answer("a", new NodeChange.Unknown("reset"));
    }
    serve("a");
    var stopped = world.controller.stop();
    world.pass(11);
    assertThat(stopped.toCompletableFuture().join()).containsExactly("a");
    assertThat(world.controller.notes().get(NodeCidrController.NOTE))
        .isEqualTo("1 works range,10.0.0.0/16,24,16");
  }

  @Test
  @DisplayName("NC-AM18 nor is an end before the hold of the start has ended")
  void endWithinHold() {
    world.note = "1 works range,10.0.0.0/16,24,16";
    takeOver();
    serve("a");
    stop();
    assertThat(world.note).isEqualTo("1 works range,10.0.0.0/16,24,32");
  }

  @Test
  @DisplayName("NC-AM18 who never led leaves the note of the one before as it is")
  void neverLed() {
    world.controller.standBy();
    world.settle();
    assertThat(world.controller.notes()).isEmpty();
    stop();
    assertThat(world.controller.notes()).isEmpty();
  }

  private static HandOver read(HandOver note) {
    return HandOver.parse(note.text()).orElseThrow();
  }

  @Test
  @DisplayName("NC-AM18 the note is read as it was written")
  void same() {
    HandOver works = HandOver.working(CIDRS, Map.of(RANGE, 4096L));
    assertThat(read(works)).isEqualTo(works);
    assertThat(read(works).positions(CIDRS)).isEqualTo(Map.of(RANGE, 4096L));
    assertThat(read(works).positions(TestCidrs.of(RANGE + ",25"))).isEmpty();
    HandOver ended =
        new HandOver(
            true,
            List.of(new HandOver.Position(RANGE, 24, 7)),
            List.of(
                new CooledNode(
                    new NodeOwner("n1", "uid-1"),
                    List.of(Cidr.parse("10.0.3.0/24"), Cidr.parse("fd00::/64")),
                    Duration.ofMillis(12_300))));
    HandOver again = read(ended);
    assertThat(again.ranges()).isEqualTo(ended.ranges());
    assertThat(again.cooling().get(0).cidrs()).isEqualTo(ended.cooling().get(0).cidrs());
    assertThat(again.cooling().get(0).left()).as("rounded up").isEqualTo(Duration.ofSeconds(13));
  }

  @Test
  @DisplayName("NC-AM18 the note names up to 512 nodes whose blocks cool; with more, there is none")
  void coolingNodes() {
    CidrLedger ledger = new CidrLedger(CIDRS, Duration.ofSeconds(60));
    for (int i = 0; i < 512; i++) {
      cool(ledger, i);
    }
    assertThat(HandOver.ended(ledger, 0).map(it -> it.cooling().size()))
        .isEqualTo(Optional.of(512));
    assertThat(HandOver.ended(ledger, 0).orElseThrow().text()).hasSizeLessThan(80_000);
    cool(ledger, 512);
    assertThat(HandOver.ended(ledger, 0)).isEmpty();
  }

  private static void cool(CidrLedger ledger, int number) {
    NodeOwner owner =
        new NodeOwner("ip-10-0-0-" + number + ".eu-central-1.compute.internal", "uid-" + number);
    assertThat(ledger.claim(owner, List.of(RANGE.subnet(24, number)))).isEmpty();
    ledger.absent(owner, 0);
  }
}
