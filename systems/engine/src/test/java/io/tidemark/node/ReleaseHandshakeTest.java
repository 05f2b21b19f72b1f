package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resilience.CallKind;
import io.tidemark.resource.HandshakeState;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Release handshake (node-manager 4)")
class ReleaseHandshakeTest {
  private static final IpAddress X = IpAddress.parse("10.0.0.1");
  private static final long DELAY = 180;
  private static final AddressSet ONLY_X = AddressSet.of(X);
  private static final AddressSet NONE = AddressSet.of();
  private static final Set<IpAddress> NOTHING = Set.of();

  private static ReleaseHandshake fresh() {
    return ReleaseHandshake.UNADOPTED.adopt(new TreeMap<>(), address -> true, 0);
  }

  private static SortedMap<IpAddress, HandshakeState> wire(HandshakeState state) {
    return new TreeMap<>(Map.of(X, state));
  }

  private static ReleaseHandshake answered(HandshakeState answer) {
    return markSeen().seen(wire(answer), address -> true);
  }

  private static final SortedMap<IpAddress, HandshakeState> ABSENT = new TreeMap<>();

  private static ReleaseHandshake marked() {
    return fresh().candidates(ONLY_X, NOTHING, 0, DELAY).candidates(ONLY_X, NOTHING, DELAY, DELAY);
  }

  private static ReleaseHandshake markSeen() {
    return marked().seen(wire(HandshakeState.MARKED_FOR_RELEASE), address -> true);
  }

  @Test
  @DisplayName("4.5 b, d: a candidate is marked after the delay, not before")
  void marksAfterTheDelay() {
    ReleaseHandshake timed = fresh().candidates(ONLY_X, NOTHING, 10, DELAY);
    assertEquals(Map.of(), timed.publish(ABSENT, NONE));
    assertEquals(190, timed.nextDueNanos(DELAY).getAsLong());
    assertEquals(Map.of(), timed.candidates(ONLY_X, NOTHING, 189, DELAY).publish(ABSENT, NONE));
    assertEquals(
        wire(HandshakeState.MARKED_FOR_RELEASE),
        timed.candidates(ONLY_X, NOTHING, 190, DELAY).publish(ABSENT, NONE));
  }

  @Test
  @DisplayName("4.5 d: no new mark while the object shows the entry of one that was given up")
  void noMarkOverAnOldEntry() {
    ReleaseHandshake again = markSeen().abort().candidates(ONLY_X, Set.of(X), 300, 0);
    assertEquals(AddressSet.of(), again.ready());
    assertEquals(
        ABSENT, again.publish(wire(HandshakeState.READY_FOR_RELEASE), NONE), "withdrawn first");
    assertEquals(
        wire(HandshakeState.MARKED_FOR_RELEASE),
        again.candidates(ONLY_X, NOTHING, 300, 0).publish(ABSENT, NONE));
  }

  @Test
  @DisplayName("4.5 c: a pass that does not list it restarts the timer")
  void timerRestarts() {
    ReleaseHandshake again =
        fresh()
            .candidates(ONLY_X, NOTHING, 0, DELAY)
            .candidates(NONE, NOTHING, 100, DELAY)
            .candidates(ONLY_X, NOTHING, 150, DELAY);
    assertEquals(330, again.nextDueNanos(DELAY).getAsLong());
  }

  @Test
  @DisplayName("D-5 an answer counts only after our own mark was seen back")
  void answerBeforeMarkDoesNotCount() {
    ReleaseHandshake early = marked().seen(wire(HandshakeState.READY_FOR_RELEASE), address -> true);
    assertEquals(NONE, early.ready());
    assertEquals(
        wire(HandshakeState.MARKED_FOR_RELEASE),
        early.publish(wire(HandshakeState.READY_FOR_RELEASE), NONE),
        "the old answer is asked for again");
    ReleaseHandshake answered = answered(HandshakeState.READY_FOR_RELEASE);
    assertEquals(ONLY_X, answered.ready());
  }

  @Test
  @DisplayName("D-5 a refusal that stood there before our mark is none, and is asked for again")
  void refusalBeforeMarkDoesNotCount() {
    ReleaseHandshake early = marked().seen(wire(HandshakeState.DO_NOT_RELEASE), address -> true);
    assertEquals(NONE, early.refused());
    assertEquals(
        wire(HandshakeState.MARKED_FOR_RELEASE),
        early.publish(wire(HandshakeState.DO_NOT_RELEASE), NONE));
  }

  @Test
  @DisplayName("D-5 an answer is void when somebody erased the mark it stood on")
  void erasedMark() {
    ReleaseHandshake ready = answered(HandshakeState.READY_FOR_RELEASE);
    ReleaseHandshake erased = ready.seen(ABSENT, address -> true);
    assertEquals(NONE, erased.ready());
    assertEquals(wire(HandshakeState.MARKED_FOR_RELEASE), erased.publish(ABSENT, NONE));
  }

  @Test
  @DisplayName("NM-S2 the agent's answer in the object being written survives")
  void answerSurvives() {
    assertEquals(
        wire(HandshakeState.READY_FOR_RELEASE),
        markSeen().publish(wire(HandshakeState.READY_FOR_RELEASE), NONE));
    assertEquals(
        wire(HandshakeState.DO_NOT_RELEASE),
        markSeen().publish(wire(HandshakeState.DO_NOT_RELEASE), NONE));
  }

  @Test
  @DisplayName("4.3 a refusal drops the entry and the timer starts from zero")
  void refusalRestarts() {
    ReleaseHandshake refused = answered(HandshakeState.DO_NOT_RELEASE);
    ReleaseHandshake dropped = refused.candidates(ONLY_X, NOTHING, 500, DELAY);
    assertEquals(ABSENT, dropped.publish(wire(HandshakeState.DO_NOT_RELEASE), NONE));
    ReleaseHandshake again = dropped.candidates(ONLY_X, NOTHING, 501, DELAY);
    assertEquals(681, again.nextDueNanos(DELAY).getAsLong());
  }

  @Test
  @DisplayName("4.6 what is no candidate any more is given up, but not what is released")
  void abort() {
    assertEquals(ABSENT, markSeen().abort().publish(ABSENT, NONE));
    ReleaseHandshake released = markSeen().released(ONLY_X, 300);
    assertEquals(wire(HandshakeState.RELEASED), released.abort().publish(ABSENT, NONE));
  }

  @Test
  @DisplayName("4.5 a: released is forgotten when the agent has dropped it, not before it saw it")
  void releasedIsForgotten() {
    ReleaseHandshake released = markSeen().released(ONLY_X, 300);
    ReleaseHandshake unpublished = released.seen(ABSENT, address -> false);
    assertEquals(wire(HandshakeState.RELEASED), unpublished.publish(ABSENT, NONE));
    ReleaseHandshake published = released.seen(wire(HandshakeState.RELEASED), address -> false);
    assertEquals(Map.of(), published.seen(ABSENT, address -> false).entries());
  }

  @Test
  @DisplayName("C-18 a released address that is attached again is free of its entry")
  void reassigned() {
    ReleaseHandshake back =
        markSeen()
            .released(ONLY_X, 300)
            .seen(wire(HandshakeState.RELEASED), address -> false)
            .seen(wire(HandshakeState.RELEASED), address -> true);
    assertEquals(Map.of(), back.entries());
    assertEquals(ABSENT, back.publish(wire(HandshakeState.RELEASED), NONE));
  }

  @Test
  @DisplayName("the next due mark is the earliest of several candidates")
  void earliestDue() {
    AddressSet three = AddressSet.of(X, X.plus(1), X.plus(2));
    ReleaseHandshake timed =
        fresh()
            .candidates(AddressSet.of(X.plus(1)), NOTHING, 10, DELAY)
            .candidates(AddressSet.of(X, X.plus(1)), NOTHING, 30, DELAY)
            .candidates(three, NOTHING, 50, DELAY);
    assertEquals(190, timed.nextDueNanos(DELAY).getAsLong());
    assertEquals(OptionalLong.empty(), marked().nextDueNanos(DELAY), "a mark waits for the agent");
  }

  @Test
  @DisplayName("the next step is the operator's except while the agent is asked or tidies up")
  void whoseTurn() {
    ReleaseHandshake timed = fresh().candidates(ONLY_X, NOTHING, 0, DELAY);
    assertTrue(timed.isOurTurn(), "a candidate becomes due");
    assertFalse(marked().isOurTurn(), "the agent answers");
    assertTrue(answered(HandshakeState.READY_FOR_RELEASE).isOurTurn());
    assertTrue(answered(HandshakeState.DO_NOT_RELEASE).isOurTurn());
    assertFalse(markSeen().released(ONLY_X, 300).isOurTurn(), "the agent drops it");
    assertFalse(ReleaseHandshake.NONE.isOurTurn());
  }

  @Test
  @DisplayName("addresses are counted by what the object says of them")
  void counted() {
    AddressSet two = AddressSet.of(X, X.plus(1));
    ReleaseHandshake some =
        fresh()
            .candidates(two, NOTHING, 0, 0)
            .candidates(two.plus(AddressSet.of(X.plus(2))), NOTHING, 0, DELAY)
            .released(AddressSet.of(X.plus(9)), 0);
    assertEquals(
        Map.of(HandshakeState.MARKED_FOR_RELEASE, 2, HandshakeState.RELEASED, 1),
        some.countByWireState(),
        "a candidate is nowhere in the object");
    assertEquals(Map.of(), ReleaseHandshake.NONE.countByWireState());
  }

  @Test
  @DisplayName("4.3 of a block that was refused the others keep their handshake, and the released")
  void without() {
    AddressSet two = AddressSet.of(X, X.plus(1));
    ReleaseHandshake some =
        fresh().candidates(two, NOTHING, 0, 0).released(AddressSet.of(X.plus(2)), 5);
    ReleaseHandshake fewer = some.without(AddressSet.of(X, X.plus(2)));
    assertEquals(Set.of(X.plus(1), X.plus(2)), fewer.entries().keySet());
    assertSame(some, some.without(AddressSet.of(X.plus(7))), "nothing to give up");
  }

  @Test
  @DisplayName("what is released keeps the time since which it was surplus, else it is of now")
  void releasedSince() {
    ReleaseHandshake released =
        fresh().candidates(ONLY_X, NOTHING, 40, 0).released(AddressSet.of(X, X.plus(1)), 300);
    Map<IpAddress, Long> since = new TreeMap<>();
    released.entries().forEach((address, entry) -> since.put(address, entry.sinceNanos()));
    assertEquals(Map.of(X, 40L, X.plus(1), 300L), since);
  }

  @Test
  @DisplayName("4.5 a: released is published again when the object shows an older state of it")
  void releasedOverwritten() {
    ReleaseHandshake seen =
        markSeen().released(ONLY_X, 300).seen(wire(HandshakeState.RELEASED), address -> false);
    ReleaseHandshake overwritten =
        seen.seen(wire(HandshakeState.READY_FOR_RELEASE), address -> false);
    assertEquals(wire(HandshakeState.RELEASED), overwritten.publish(ABSENT, NONE));
    assertEquals(
        Map.of(), overwritten.seen(ABSENT, address -> false).entries(), "it was seen before");
    ReleaseHandshake unseen = markSeen().released(ONLY_X, 300);
    assertSame(
        unseen,
        unseen.seen(wire(HandshakeState.READY_FOR_RELEASE), address -> true),
        "an old entry of an address that still shows proves nothing");
  }

  @Test
  @DisplayName("D-5 a mark that was erased is set again, and counts as unseen")
  void markErased() {
    ReleaseHandshake unseen = marked();
    assertSame(unseen, unseen.seen(ABSENT, address -> true), "it was not there yet");
    ReleaseHandshake erased = markSeen().seen(ABSENT, address -> true);
    assertEquals(wire(HandshakeState.MARKED_FOR_RELEASE), erased.publish(ABSENT, NONE));
    assertEquals(
        NONE,
        erased.seen(wire(HandshakeState.READY_FOR_RELEASE), address -> true).ready(),
        "an answer to the erased mark is none to the new one");
  }

  @Test
  @DisplayName("what was marked and is not attached any more is released")
  void detached() {
    ReleaseHandshake gone =
        markSeen().seen(wire(HandshakeState.READY_FOR_RELEASE), address -> false);
    assertEquals(wire(HandshakeState.RELEASED), gone.publish(ABSENT, NONE));
    assertEquals(ONLY_X, gone.inPhase(HandshakeEntry.Phase.RELEASED));
    assertEquals(NONE, gone.ready());
  }

  @Test
  @DisplayName("D-6 adoption at start: by state, attached or not")
  void adoption() {
    for (HandshakeState state : HandshakeState.values()) {
      ReleaseHandshake gone = ReleaseHandshake.UNADOPTED.adopt(wire(state), address -> false, 0);
      assertEquals(
          wire(HandshakeState.RELEASED), gone.publish(wire(state), NONE), "unattached " + state);
    }
    ReleaseHandshake ready =
        ReleaseHandshake.UNADOPTED.adopt(
            wire(HandshakeState.READY_FOR_RELEASE), address -> true, 0);
    assertEquals(ONLY_X, ready.ready(), "the first read counts as our mark seen");
    assertEquals(
        Map.of(), ready.candidates(NONE, NOTHING, 1, DELAY).entries(), "no candidate: aborted");
    assertEquals(
        wire(HandshakeState.DO_NOT_RELEASE),
        ReleaseHandshake.UNADOPTED.publish(wire(HandshakeState.DO_NOT_RELEASE), NONE),
        "before adoption the object's own entries stay");
  }

  @Test
  @DisplayName("D-6 what the pool still names but the cloud does not hold is published as released")
  void unattachedInPool() {
    assertEquals(wire(HandshakeState.RELEASED), fresh().publish(ABSENT, ONLY_X));
  }

  @Test
  @DisplayName("F-20 D-7 a block goes only when all of its addresses are acknowledged")
  void wholeBlocksOnly() {
    Cidr block = Cidr.parse("10.0.0.16/28");
    AddressSet all = AddressSet.ofRange(block);
    ReleaseAction action =
        new ReleaseAction(
            Optional.of(new InterfaceId("eni-1")),
            Optional.of(new PoolId("subnet-1")),
            NONE,
            List.of(block),
            new CallKind("release", CallKind.Effect.REPEATABLE));
    ReleaseHandshake marked =
        fresh().candidates(all, NOTHING, 0, 0).seen(states(all, 16), a -> true);
    ReleaseHandshake fifteen = marked.seen(states(all, 1), address -> true);
    SortedMap<IpAddress, HandshakeState> refusal = states(all, 0);
    refusal.put(block.last(), HandshakeState.DO_NOT_RELEASE);
    ReleaseHandshake refused = marked.seen(refusal, address -> true);

    assertEquals(
        Optional.empty(), fifteen.step(action, NOTHING, NONE, 1, 0).releasable(), "15 of 16");
    ReleaseHandshake.Step afterRefusal = refused.step(action, NOTHING, NONE, 1, DELAY);
    assertEquals(Optional.empty(), afterRefusal.releasable(), "one refused");
    assertEquals(
        Map.of(),
        afterRefusal.handshake().publish(refusal, NONE),
        "the fifteen others become usable again");
    ReleaseHandshake.Step complete =
        marked.seen(states(all, 0), a -> true).step(action, NOTHING, NONE, 1, 0);
    assertEquals(List.of(block), complete.releasable().orElseThrow().blocks());
    assertEquals(
        Optional.empty(),
        marked
            .seen(states(all, 0), a -> true)
            .step(action, NOTHING, AddressSet.of(block.first()), 1, 0)
            .releasable(),
        "an address that is used after all keeps the block");
  }

  private static ReleaseHandshake adopted(HandshakeState a, HandshakeState b) {
    SortedMap<IpAddress, HandshakeState> wire = new TreeMap<>(Map.of(X, a, X.plus(1), b));
    return ReleaseHandshake.UNADOPTED.adopt(wire, address -> true, 0);
  }

  @DisplayName("4.6 given up: a handshake under way counts once, by what the node needs now")
  @ParameterizedTest
  @EnumSource(names = {"MARKED_FOR_RELEASE", "READY_FOR_RELEASE"})
  void underWay(HandshakeState state) {
    ReleaseHandshake before = adopted(state, state);
    ReleaseHandshake after = before.abort();
    assertThat(before.abortsTo(after, NONE, 1)).isEqualTo(Map.of(ReleaseHandshake.NEEDED, 2));
    assertThat(before.abortsTo(after, NONE, 0)).isEqualTo(Map.of(ReleaseHandshake.NOT_SURPLUS, 2));
  }

  @Test
  @DisplayName(
      "4.6 given up: one that the agent refused, or of a block of which it refused one, is refused")
  void refused() {
    ReleaseHandshake before =
        adopted(HandshakeState.DO_NOT_RELEASE, HandshakeState.READY_FOR_RELEASE);
    ReleaseHandshake after = before.abort();
    assertThat(before.abortsTo(after, AddressSet.of(X, X.plus(1)), 0))
        .isEqualTo(Map.of(ReleaseHandshake.REFUSED, 2));
    assertThat(before.abortsTo(after, NONE, 3))
        .isEqualTo(Map.of(ReleaseHandshake.REFUSED, 1, ReleaseHandshake.NEEDED, 1));
  }

  @Test
  @DisplayName(
      "4.6 given up: what goes on, what was never asked and what is released counts as none")
  void notAborted() {
    ReleaseHandshake goesOn =
        adopted(HandshakeState.MARKED_FOR_RELEASE, HandshakeState.READY_FOR_RELEASE);
    assertThat(goesOn.abortsTo(goesOn, NONE, 1)).isEmpty();
    ReleaseHandshake timed =
        ReleaseHandshake.NONE
            .candidates(ONLY_X, NOTHING, 0, 10)
            .released(AddressSet.of(X.plus(1)), 0);
    assertThat(timed.abortsTo(ReleaseHandshake.NONE, NONE, 1)).isEmpty();
  }

  /** The first {@code stillMarked} marked, the others ready. */
  private static SortedMap<IpAddress, HandshakeState> states(AddressSet all, int stillMarked) {
    SortedMap<IpAddress, HandshakeState> states = new TreeMap<>();
    for (IpAddress address : all) {
      states.put(
          address,
          states.size() < stillMarked
              ? HandshakeState.MARKED_FOR_RELEASE
              : HandshakeState.READY_FOR_RELEASE);
    }
    return states;
  }
}
