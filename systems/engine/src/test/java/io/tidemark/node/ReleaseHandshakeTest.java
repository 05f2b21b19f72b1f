package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.HandshakeEntry.Phase;
import io.tidemark.resource.HandshakeState;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.ReleaseAction;
import java.util.HashSet;
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
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Events one after the other, with a delay of 180, on the addresses X, Y and Z:
 *
 * <ul>
 *   <li>{@code 10 lists XY/Z}: at 10 a pass lists X and Y; the object has an entry of Z
 *   <li>{@code sees X=m}: the object shows X marked (r ready, n refused, d released), everything is
 *       attached; {@code lost X=m}: and nothing is
 *   <li>{@code adopts}, {@code alone}: the same of the first object that is seen
 *   <li>{@code 10 gone X}: the cloud released X; {@code abort}; {@code without X}
 *   <li>{@code marked}: X is marked; {@code asked}: and the mark was seen
 * </ul>
 *
 * An entry is written {@code Xm*10}: X is marked (c a candidate), that was seen, and it is surplus
 * since 10.
 */
@DisplayName("Release handshake (node-manager 4)")
class ReleaseHandshakeTest {
  private static final IpAddress X = IpAddress.parse("10.0.0.1");
  private static final Map<Character, HandshakeState> STATES =
      Map.of(
          'm', HandshakeState.MARKED_FOR_RELEASE,
          'r', HandshakeState.READY_FOR_RELEASE,
          'n', HandshakeState.DO_NOT_RELEASE,
          'd', HandshakeState.RELEASED);
  private static final AddressSet NONE = AddressSet.of();
  private static final SortedMap<IpAddress, HandshakeState> ABSENT = new TreeMap<>();

  private static AddressSet addresses(String letters) {
    AddressSet.Builder named = AddressSet.builder();
    letters.chars().filter(each -> each != '-').forEach(each -> named.add(X.plus(each - 'X')));
    return named.build();
  }

  private static SortedMap<IpAddress, HandshakeState> wire(String entries) {
    SortedMap<IpAddress, HandshakeState> wire = new TreeMap<>();
    for (String each : entries.split(",", -1)) {
      if (each.contains("=")) {
        wire.put(X.plus(each.charAt(0) - 'X'), STATES.get(each.charAt(2)));
      }
    }
    return wire;
  }

  private static ReleaseHandshake after(String events) {
    ReleaseHandshake start = ReleaseHandshake.UNADOPTED;
    if (!events.startsWith("adopts") && !events.startsWith("alone")) {
      start = start.adopt(ABSENT, any -> true, 0);
    }
    return after(start, events);
  }

  private static ReleaseHandshake after(ReleaseHandshake start, String events) {
    ReleaseHandshake now = start;
    for (String event : events.isEmpty() ? new String[0] : events.split("; ", -1)) {
      ReleaseHandshake next = next(now, event.split("[ /]", -1));
      if (next.entries().equals(now.entries()) && !event.contains("gone")) {
        assertThat(next).as("unchanged, and told as unchanged by " + event).isSameAs(now);
      }
      now = next;
    }
    return now;
  }

  private static ReleaseHandshake next(ReleaseHandshake now, String... words) {
    return switch (words[0]) {
      case "sees" -> now.seen(wire(words[1]), any -> true);
      case "lost" -> now.seen(wire(words[1]), any -> false);
      case "adopts" -> now.adopt(wire(words[1]), any -> true, 0);
      case "alone" -> now.adopt(wire(words[1]), any -> false, 0);
      case "abort" -> now.abort();
      case "without" -> now.without(addresses(words[1]));
      case "marked" -> after(now, "0 lists X; 180 lists X");
      case "asked" -> after(now, "marked; sees X=m");
      default -> {
        long nanos = Long.parseLong(words[0]);
        AddressSet inObject = addresses(words.length > 3 ? words[3] : "-");
        yield words[1].equals("gone")
            ? now.released(addresses(words[2]), nanos)
            : now.candidates(addresses(words[2]), new HashSet<>(inObject.toList()), nanos, 180);
      }
    };
  }

  private static String text(ReleaseHandshake handshake) {
    StringBuilder text = new StringBuilder();
    handshake
        .entries()
        .forEach(
            (address, entry) ->
                text.append((char) ('X' + address.toString().charAt(7) - '1'))
                    .append("cmrnd".charAt(List.of(Phase.values()).indexOf(entry.phase())))
                    .append(entry.seen() ? "*" : "")
                    .append(entry.sinceNanos()));
    return text.toString();
  }

  @DisplayName("each event leaves these entries, which are published so on such an object")
  @ParameterizedTest(name = "{0}: {1} leaves {2}, and {4} on {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          4.5 b a candidate is timed                 | 10 lists X                            | Xc10  | -    | -
          4.5 d it is not marked before the delay    | 10 lists X; 189 lists X               | Xc10  | -    | -
          4.5 d it is marked after the delay         | 10 lists X; 190 lists X               | Xm10  | -    | X=m
          4.5 d no new mark over an old entry        | asked; abort; 300 lists X/X; 480 lists X/X | Xc300 | X=r | -
          4.5 d it is set when that is withdrawn     | asked; abort; 300 lists X/X; 480 lists X | Xm300 | -  | X=m
          4.5 c a pass without it restarts the timer | 0 lists X; 100 lists -; 150 lists X   | Xc150 | -    | -
          D-5 an answer before our mark was seen     | marked; sees X=r                      | Xm0   | X=r  | X=m
          D-5 a refusal before our mark was seen     | marked; sees X=n                      | Xm0   | X=n  | X=m
          D-5 an answer to our mark                  | asked; sees X=r                       | Xr*0  | X=r  | X=r
          D-5 an answer whose mark was erased        | asked; sees X=r; sees -               | Xm0   | -    | X=m
          D-5 a mark that is not there yet           | marked; sees -                        | Xm0   | -    | X=m
          D-5 a mark that was erased                 | asked; sees -                         | Xm0   | -    | X=m
          D-5 an answer to a mark that was erased    | asked; sees -; sees X=r               | Xm0   | X=r  | X=m
          NM-S2 an answer in the object survives     | asked                                 | Xm*0  | X=r  | X=r
          NM-S2 a refusal in the object survives     | asked                                 | Xm*0  | X=n  | X=n
          4.3 a refusal drops the entry              | asked; sees X=n; 500 lists X          | ''    | X=n  | -
          4.3 and the timer starts from zero         | asked; sees X=n; 500 lists X; 501 lists X | Xc501 | - | -
          4.6 what is no candidate is given up       | asked; abort                          | ''    | -    | -
          4.6 but not what is released               | asked; 300 gone X; abort              | Xd0   | -    | X=d
          4.5 a released stays until it was seen     | asked; 300 gone X; lost -             | Xd0   | -    | X=d
          4.5 a and until the agent drops it         | asked; 300 gone X; lost X=d           | Xd*0  | X=d  | X=d
          4.5 a then it is forgotten                 | asked; 300 gone X; lost X=d; lost -   | ''    | -    | -
          4.5 a an older state is overwritten        | asked; 300 gone X; lost X=d; lost X=r | Xd*0  | X=r  | X=d
          4.5 a and it was seen before               | asked; 300 gone X; lost X=d; lost X=r; lost - | '' | - | -
          4.5 a an old entry proves nothing          | asked; 300 gone X; sees X=r           | Xd0   | -    | X=d
          C-18 released and attached again           | asked; 300 gone X; lost X=d; sees X=d | ''    | X=d  | -
          released keeps the time, else it is of now | 40 lists X; 220 lists X; 300 gone XY  | Xd40Yd300 | - | X=d,Y=d
          what was marked and is not attached        | asked; lost X=r                       | Xd0   | -    | X=d
          4.3 others of a refused block, and released | 0 lists XY; 180 lists XY; 5 gone Z; without XZ | Ym0Zd5 | - | Y=m,Z=d
          4.3 nothing to give up                     | asked; without Y                      | Xm*0  | -    | X=m
          D-6 N13 a mark is adopted as seen          | adopts X=m                            | Xm*0  | X=m  | X=m
          D-6 N13 an acknowledgement is adopted      | adopts X=r                            | Xr*0  | X=r  | X=r
          D-6 it is aborted if it is no candidate    | adopts X=r; 1 lists -                 | ''    | X=r  | -
          D-6 a refusal is adopted                   | adopts X=n                            | Xn*0  | X=n  | X=n
          D-6 a release is adopted                   | adopts X=d                            | Xd*0  | X=d  | X=d
          D-6 unattached: a mark                     | alone X=m                             | Xd0   | X=m  | X=d
          D-6 unattached: an acknowledgement         | alone X=r                             | Xd0   | X=r  | X=d
          D-6 unattached: a refusal                  | alone X=n                             | Xd0   | X=n  | X=d
          D-6 unattached: a release                  | alone X=d                             | Xd*0  | X=d  | X=d
          """)
  void story(String what, String events, String entries, String object, String published) {
    ReleaseHandshake now = after(events);
    assertThat(text(now)).as(what).isEqualTo(entries);
    assertThat(now.publish(wire(object), NONE)).as(what).isEqualTo(wire(published));
    assertThat(now.ready().isEmpty()).as(what).isEqualTo(!entries.contains("r"));
    assertThat(now.refused().isEmpty()).as(what).isEqualTo(!entries.contains("n"));
  }

  @Test
  @DisplayName("D-6 before adoption the object's entries stay; what only the pool has is released")
  void publishedApart() {
    assertThat(ReleaseHandshake.UNADOPTED.publish(wire("X=n"), NONE)).isEqualTo(wire("X=n"));
    assertThat(after("").publish(ABSENT, addresses("X"))).isEqualTo(wire("X=d"));
  }

  @Test
  @DisplayName("the next due mark is the earliest of several candidates; a mark waits for nobody")
  void earliestDue() {
    assertThat(after("10 lists Y; 30 lists XY; 50 lists XYZ").nextDueNanos(180)).hasValue(190);
    assertThat(after("marked").nextDueNanos(180)).isEqualTo(OptionalLong.empty());
  }

  @DisplayName("the next step is the operator's except while the agent is asked or tidies up")
  @ParameterizedTest(name = "after {0}: {1}")
  @CsvSource({
    "'',                 false",
    "0 lists X,          true",
    "marked,             false",
    "asked; sees X=r,    true",
    "asked; sees X=n,    true",
    "asked; 300 gone X,  false",
  })
  void whoseTurn(String events, boolean ours) {
    assertThat(after(events).isOurTurn()).isEqualTo(ours);
  }

  @Test
  @DisplayName(
      "addresses are counted by what the object says of them; a candidate is nowhere in it")
  void counted() {
    assertThat(after("0 lists XY; 180 lists XY; 0 gone Z").countByWireState())
        .isEqualTo(Map.of(HandshakeState.MARKED_FOR_RELEASE, 2, HandshakeState.RELEASED, 1));
    assertThat(after("0 lists X").countByWireState()).isEmpty();
  }

  @DisplayName("4.6 given up: each counts once, by the agent's refusal or what the node needs now")
  @ParameterizedTest(name = "{0} with {1} listed and {2} needed: {3}")
  @CsvSource({
    "'adopts X=m,Y=m',     -,  1, {needed=2}",
    "'adopts X=r,Y=r',     -,  0, {not-surplus=2}",
    "'adopts X=n,Y=r',     XY, 0, {refused=2}",
    "'adopts X=n,Y=r',     -,  3, '{needed=1, refused=1}'",
    "0 lists X; 0 gone Y,  -,  1, {}",
  })
  void givenUp(String events, String listed, int needed, String counts) {
    ReleaseHandshake before = after(events);
    assertThat(before.abortsTo(before.abort(), addresses(listed), needed)).hasToString(counts);
    assertThat(before.abortsTo(before, addresses(listed), needed)).as("what goes on").isEmpty();
  }

  /** Marks of a block, the last of them answered otherwise. */
  private static SortedMap<IpAddress, HandshakeState> states(
      Cidr block, HandshakeState most, HandshakeState last) {
    SortedMap<IpAddress, HandshakeState> states = new TreeMap<>();
    AddressSet.ofRange(block).forEach(address -> states.put(address, most));
    states.put(block.last(), last);
    return states;
  }

  @Test
  @DisplayName("F-20 D-7 a block goes only when all of its addresses are acknowledged and unused")
  void wholeBlocksOnly() {
    Cidr block = Cidr.parse("10.0.0.16/28");
    HandshakeState asked = HandshakeState.MARKED_FOR_RELEASE;
    HandshakeState ready = HandshakeState.READY_FOR_RELEASE;
    ReleaseAction action =
        new ReleaseAction(
            Optional.of(new InterfaceId("eni-1")),
            Optional.empty(),
            NONE,
            List.of(block),
            ScriptedProvider.RELEASE);
    ReleaseHandshake marked =
        after("")
            .candidates(AddressSet.ofRange(block), Set.of(), 0, 0)
            .seen(states(block, asked, asked), any -> true);
    assertThat(step(marked, states(block, ready, asked), action, NONE).releasable()).isEmpty();
    SortedMap<IpAddress, HandshakeState> refusal =
        states(block, ready, HandshakeState.DO_NOT_RELEASE);
    ReleaseHandshake.Step refused = step(marked, refusal, action, NONE);
    assertThat(refused.releasable()).isEmpty();
    assertThat(refused.handshake().publish(refusal, NONE)).as("usable again").isEmpty();
    SortedMap<IpAddress, HandshakeState> all = states(block, ready, ready);
    assertThat(step(marked, all, action, AddressSet.of(block.first())).releasable()).isEmpty();
    assertThat(step(marked, all, action, NONE).releasable().orElseThrow().blocks())
        .containsExactly(block);
  }

  private static ReleaseHandshake.Step step(
      ReleaseHandshake marked,
      SortedMap<IpAddress, HandshakeState> answers,
      ReleaseAction action,
      AddressSet used) {
    return marked.seen(answers, any -> true).step(action, Set.of(), used, 1, 180);
  }
}
