package io.tidemark.agent.multipool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.multipool.CidrEntry.Phase;
import io.tidemark.agent.multipool.CidrStates.Need;
import io.tidemark.agent.multipool.OfferedCidrs.Edges;
import io.tidemark.ip.Cidr;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What is done with the blocks of a pool")
class CidrStatesTest {
  private static final Need MUCH = new Need(1000, 0, 0, true);
  private static final Need NOTHING = new Need(0, 0, 0, true);

  private final Map<Cidr, Integer> held = new HashMap<>();
  private final CidrStates.Use use =
      new CidrStates.Use() {
        @Override
        public int held(Cidr cidr) {
          return held.getOrDefault(cidr, 0);
        }

        @Override
        public int free(Cidr cidr) {
          return CidrEntry.drawn(cidr, Edges.NONE).capacity() - held(cidr);
        }
      };

  @ParameterizedTest(name = "{2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "0  | DRAWN       | in the version that first offers it",
        "17 | DRAWN       | as soon as an agent can write",
        "18 | QUARANTINED | later than an agent needs to write",
      })
  @DisplayName("A82 A new block is drawn from at once, unless the object lists it late")
  void confirmation(int seconds, Phase phase, String listed) {
    CidrStates states = observe(CidrStates.EMPTY, offer("10.0.0.0/28"), MUCH, 0);
    if (seconds > 0) {
      states = observe(CidrStates.recalling(Map.of()), unlisted(true, "10.0.0.0/28"), MUCH, 0);
      assertThat(phases(states)).containsExactly("10.0.0.0/28 ADOPTED");
      states = observe(states, offer("10.0.0.0/28"), MUCH, seconds);
    }
    assertThat(phases(states)).as(listed).containsExactly("10.0.0.0/28 " + phase);
  }

  @Test
  @DisplayName("A82 What no agent before can have dropped does not wait, however late it is listed")
  void first() {
    CidrStates states = observe(CidrStates.EMPTY, unlisted(false, "10.0.0.0/28"), MUCH, 0);
    assertThat(phases(states)).containsExactly("10.0.0.0/28 FIRST");
    CidrStates next =
        observe(
            CidrStates.recalling(
                Map.of(
                    Cidr.parse("10.0.0.0/28"),
                    new CidrStates.Recalled(RememberedCidr.State.ADOPTED, 0))),
            unlisted(false, "10.0.0.0/28"),
            MUCH,
            600);
    assertThat(phases(next)).as("the next process").containsExactly("10.0.0.0/28 FIRST");
    assertThat(phases(observe(states, offer("10.0.0.0/28"), MUCH, 600)))
        .containsExactly("10.0.0.0/28 DRAWN");
  }

  @Test
  @DisplayName("A82 A block with an address that an agent before agreed to release has a pause")
  void releasing() {
    OfferedCidrs offer =
        new OfferedCidrs(
            cidrs("10.0.0.0/28", "10.0.1.0/28"),
            Set.of(),
            Edges.NONE,
            false,
            Set.of(Cidr.parse("10.0.1.0/28")),
            Optional.empty());
    CidrStates states = observe(CidrStates.EMPTY, offer, MUCH, 0);
    states = observe(states, offer("10.0.0.0/28", "10.0.1.0/28"), MUCH, 1);
    assertThat(phases(states)).containsExactly("10.0.0.0/28 DRAWN", "10.0.1.0/28 QUARANTINED");
  }

  @Test
  @DisplayName("A82 Without a record, what an earlier process may have dropped is in doubt")
  void doubt() {
    CidrStates states = observe(CidrStates.EMPTY, unlisted(true, "10.0.0.0/28"), MUCH, 0);
    assertThat(phases(states)).containsExactly("10.0.0.0/28 ADOPTED_AGAIN");
    CidrStates later = observe(states, unlisted(true, "10.0.0.0/28", "10.0.1.0/28"), MUCH, 1);
    assertThat(phases(later)).containsExactly("10.0.0.0/28 ADOPTED_AGAIN", "10.0.1.0/28 ADOPTED");
    CidrStates recorded =
        observe(CidrStates.recalling(Map.of()), unlisted(true, "10.0.0.0/28"), MUCH, 0);
    assertThat(phases(recorded)).containsExactly("10.0.0.0/28 ADOPTED");
  }

  @Test
  @DisplayName("A57 Blocks are given back from the last on, as long as enough is free without them")
  void surplus() {
    CidrStates states =
        observe(CidrStates.EMPTY, offer("10.0.0.0/29", "10.0.1.0/28", "10.0.2.0/29"), MUCH, 0);
    held.put(Cidr.parse("10.0.2.0/29"), 1);
    OfferedCidrs same = offer("10.0.0.0/29", "10.0.1.0/28", "10.0.2.0/29");
    assertThat(observe(states, same, new Need(20, 1, 0, true), 0).dropped())
        .as("19 of 25 free ones are wanted: the six of the first block can go")
        .containsExactly(Cidr.parse("10.0.0.0/29"));
    assertThat(observe(states, same, new Need(21, 1, 0, true), 0)).isSameAs(states);
    CidrStates least = observe(states, same, NOTHING, 0);
    assertThat(phases(least)).containsExactly("10.0.2.0/29 DRAWN");
    assertThat(observe(states, same, new Need(0, 0, 0, false), 0)).isSameAs(states);
  }

  @Test
  @DisplayName("A57 Free addresses of a block that is withdrawn or in quarantine count for nothing")
  void countsForNothing() {
    CidrStates states = observe(CidrStates.EMPTY, offer("10.0.0.0/28", "10.0.1.0/28"), MUCH, 0);
    held.put(Cidr.parse("10.0.0.0/28"), 1);
    CidrStates withdrawn = observe(states, offer("10.0.1.0/28"), new Need(9, 1, 0, true), 0);
    assertThat(phases(withdrawn)).containsExactly("10.0.1.0/28 DRAWN", "10.0.0.0/28 withdrawn");
    held.clear();

    CidrStates waiting =
        observe(CidrStates.recalling(Map.of()), unlisted(true, "10.0.0.0/28"), MUCH, 0);
    waiting = observe(waiting, offer("10.0.0.0/28", "10.0.1.0/28"), MUCH, 60);
    assertThat(phases(waiting)).containsExactly("10.0.0.0/28 QUARANTINED", "10.0.1.0/28 DRAWN");
    OfferedCidrs both = offer("10.0.0.0/28", "10.0.1.0/28");
    assertThat(phases(observe(waiting, both, new Need(14, 0, 0, true), 60)))
        .containsExactly("10.0.1.0/28 DRAWN");
    assertThat(observe(waiting, both, new Need(15, 0, 0, true), 60)).isSameAs(waiting);
  }

  @Test
  @DisplayName("A56 As many blocks are taken up again as are needed, in the operator's order")
  void reclaim() {
    OfferedCidrs offer = offer("10.0.0.0/28", "10.0.1.0/28", "10.0.2.0/28");
    CidrStates none = observe(observe(CidrStates.EMPTY, offer, MUCH, 0), offer, NOTHING, 0);
    assertThat(none.dropped()).hasSize(3);
    assertThat(observe(none, offer, NOTHING, 1)).isSameAs(none);
    CidrStates some = observe(none, offer, new Need(15, 0, 0, true), 1);
    assertThat(phases(some)).containsExactly("10.0.0.0/28 QUARANTINED", "10.0.1.0/28 QUARANTINED");
    assertThat(some.nextEndNanos()).hasValue(seconds(241));
    assertThat(phases(observe(some, offer, new Need(15, 0, 0, true), 241)))
        .containsExactly("10.0.0.0/28 DRAWN", "10.0.1.0/28 DRAWN");
  }

  @Test
  @DisplayName("A56 What is given back is not needed again by the same demand")
  void noFlapping() {
    OfferedCidrs offer = offer("10.0.0.0/28", "10.0.1.0/28", "10.0.2.0/28");
    CidrStates states = observe(CidrStates.EMPTY, offer, MUCH, 0);
    for (int used = 0; used <= 14; used++) {
      held.put(Cidr.parse("10.0.0.0/28"), used);
      for (int wanted = used; wanted <= 44; wanted++) {
        Need need = new Need(wanted, used, 0, true);
        CidrStates once = observe(states, offer, need, 0);
        assertThat(observe(once, offer, need, 0)).as("%s", need).isSameAs(once);
        CidrStates withdrawn = observe(once, offer("10.0.1.0/28", "10.0.2.0/28"), need, 0);
        assertThat(observe(withdrawn, offer("10.0.1.0/28", "10.0.2.0/28"), need, 0).dropped())
            .isEqualTo(withdrawn.dropped());
      }
    }
  }

  @Test
  @DisplayName("A60 A rejected block is taken up once nothing speaks against it")
  void rejected() {
    CidrStates states = observe(CidrStates.EMPTY, offer("10.0.0.0/29", "10.0.0.0/28"), MUCH, 0);
    assertThat(states.rejected()).isEqualTo(Map.of(Cidr.parse("10.0.0.0/28"), Rejection.OVERLAPS));
    CidrStates alone = observe(states, offer("10.0.0.0/28"), MUCH, 0);
    assertThat(phases(alone)).containsExactly("10.0.0.0/28 DRAWN");
    assertThat(alone.rejected()).isEmpty();

    CidrStates large = observe(CidrStates.EMPTY, offer("10.0.0.0/8", "11.0.0.0/8"), MUCH, 0);
    assertThat(large.rejected()).isEqualTo(Map.of(Cidr.parse("11.0.0.0/8"), Rejection.TOO_LARGE));
    assertThat(observe(CidrStates.EMPTY, offer("::ffff:10.0.0.0/104"), MUCH, 0).rejected())
        .containsValue(Rejection.IPV4_MAPPED);
  }

  @Test
  @DisplayName("A60 First and last addresses of a block change when nobody uses it")
  void edges() {
    CidrStates states = observe(CidrStates.EMPTY, offer("10.0.0.0/28"), MUCH, 0);
    OfferedCidrs whole = OfferedCidrs.of(cidrs("10.0.0.0/28"), Edges.BOTH);
    held.put(Cidr.parse("10.0.0.0/28"), 1);
    assertThat(observe(states, whole, MUCH, 0).entries().get(0).capacity()).isEqualTo(14);
    held.clear();
    assertThat(observe(states, whole, MUCH, 0).entries().get(0).capacity()).isEqualTo(16);
  }

  @Test
  @DisplayName("A82 The quarantine that ends first is due")
  void nextEnd() {
    CidrStates states =
        observe(
            CidrStates.recalling(Map.of()), unlisted(true, "10.0.0.0/28", "10.0.1.0/28"), MUCH, 0);
    OfferedCidrs first =
        new OfferedCidrs(
            cidrs("10.0.0.0/28", "10.0.1.0/28"),
            Set.copyOf(cidrs("10.0.0.0/28")),
            Edges.NONE,
            true,
            Set.of(),
            Optional.empty());
    states = observe(states, first, MUCH, 60);
    CidrStates both = observe(states, offer("10.0.0.0/28", "10.0.1.0/28"), MUCH, 70);
    assertThat(phases(both)).allMatch(each -> each.endsWith("QUARANTINED"));
    assertThat(both.nextEndNanos()).hasValue(seconds(60 + 240));
    CidrStates turned = observe(both, offer("10.0.1.0/28", "10.0.0.0/28"), MUCH, 71);
    assertThat(turned.nextEndNanos()).hasValue(seconds(60 + 240));
    held.put(Cidr.parse("10.0.0.0/28"), 1);
    OfferedCidrs left =
        new OfferedCidrs(
            cidrs("10.0.1.0/28"),
            Set.copyOf(cidrs("10.0.0.0/28", "10.0.1.0/28")),
            Edges.NONE,
            true,
            Set.of(),
            Optional.empty());
    assertThat(observe(both, left, MUCH, 72).nextEndNanos())
        .as("a withdrawn block stays in quarantine, whose end changes nothing")
        .hasValue(seconds(70 + 240));
  }

  @Test
  @DisplayName("A56 Reserved addresses are needed on top, and withdrawn blocks give what is used")
  void lacking() {
    OfferedCidrs offer = offer("10.0.0.0/28", "10.0.1.0/28");
    CidrStates none = observe(observe(CidrStates.EMPTY, offer, MUCH, 0), offer, NOTHING, 0);
    CidrStates one = observe(none, offer, new Need(14, 0, 0, true), 1);
    assertThat(one.entries()).as("14 wanted, 14 there").hasSize(1);
    assertThat(observe(none, offer, new Need(14, 0, 1, true), 1).entries())
        .as("one of them is reserved")
        .hasSize(2);

    CidrStates first = observe(CidrStates.EMPTY, offer("10.0.9.0/28"), MUCH, 0);
    held.put(Cidr.parse("10.0.9.0/28"), 3);
    CidrStates withdrawn = observe(first, offer, MUCH, 0);
    assertThat(phases(withdrawn)).hasSize(3);
    CidrStates dropped = observe(withdrawn, offer, new Need(3, 3, 0, true), 0);
    assertThat(phases(dropped)).containsExactly("10.0.9.0/28 withdrawn");
    assertThat(observe(dropped, offer, new Need(3, 3, 0, true), 1)).isSameAs(dropped);
    assertThat(phases(observe(dropped, offer, new Need(4, 3, 0, true), 1)))
        .containsExactly("10.0.0.0/28 QUARANTINED", "10.0.9.0/28 withdrawn");
  }

  private CidrStates observe(CidrStates states, OfferedCidrs offer, Need need, int seconds) {
    return states.observe(offer, use, need, TestPools.QUARANTINE, seconds(seconds));
  }

  private static long seconds(int seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  private static OfferedCidrs offer(String... blocks) {
    return OfferedCidrs.of(cidrs(blocks), Edges.NONE);
  }

  private static OfferedCidrs unlisted(boolean mayBeDropped, String... blocks) {
    return new OfferedCidrs(
        cidrs(blocks), Set.of(), Edges.NONE, mayBeDropped, Set.of(), Optional.empty());
  }

  private static List<Cidr> cidrs(String... blocks) {
    return Stream.of(blocks).map(Cidr::parse).toList();
  }

  private static List<String> phases(CidrStates states) {
    return states.entries().stream()
        .map(each -> each.cidr() + " " + (each.withdrawn() ? "withdrawn" : each.phase()))
        .toList();
  }
}
