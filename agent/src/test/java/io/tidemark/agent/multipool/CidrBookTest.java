package io.tidemark.agent.multipool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.multipool.CidrBook.Need;
import io.tidemark.agent.multipool.CidrEntry.Phase;
import io.tidemark.agent.multipool.Offer.Edges;
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
class CidrBookTest {
  private static final Need MUCH = new Need(1000, 0, 0, true);
  private static final Need NOTHING = new Need(0, 0, 0, true);

  private final Map<Cidr, Integer> held = new HashMap<>();
  private final CidrBook.Use use =
      new CidrBook.Use() {
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
    CidrBook book = observe(CidrBook.EMPTY, offer("10.0.0.0/28"), MUCH, 0);
    if (seconds > 0) {
      book = observe(CidrBook.EMPTY, unlisted(false, "10.0.0.0/28"), MUCH, 0);
      assertThat(phases(book)).containsExactly("10.0.0.0/28 ADOPTED");
      book = observe(book, offer("10.0.0.0/28"), MUCH, seconds);
    }
    assertThat(phases(book)).as(listed).containsExactly("10.0.0.0/28 " + phase);
  }

  @Test
  @DisplayName("A82 Without a record, what an earlier process may have dropped is in doubt")
  void doubt() {
    CidrBook book = observe(CidrBook.EMPTY, unlisted(true, "10.0.0.0/28"), MUCH, 0);
    assertThat(phases(book)).containsExactly("10.0.0.0/28 ADOPTED_AGAIN");
    CidrBook later = observe(book, unlisted(true, "10.0.0.0/28", "10.0.1.0/28"), MUCH, 1);
    assertThat(phases(later)).containsExactly("10.0.0.0/28 ADOPTED_AGAIN", "10.0.1.0/28 ADOPTED");
    CidrBook recorded =
        observe(CidrBook.recalling(Map.of()), unlisted(true, "10.0.0.0/28"), MUCH, 0);
    assertThat(phases(recorded)).containsExactly("10.0.0.0/28 ADOPTED");
  }

  @Test
  @DisplayName("A57 Blocks are given back from the last on, as long as enough is free without them")
  void surplus() {
    CidrBook book =
        observe(CidrBook.EMPTY, offer("10.0.0.0/29", "10.0.1.0/28", "10.0.2.0/29"), MUCH, 0);
    held.put(Cidr.parse("10.0.2.0/29"), 1);
    Offer same = offer("10.0.0.0/29", "10.0.1.0/28", "10.0.2.0/29");
    assertThat(observe(book, same, new Need(20, 1, 0, true), 0).dropped())
        .as("19 of 25 free ones are wanted: the six of the first block can go")
        .containsExactly(Cidr.parse("10.0.0.0/29"));
    assertThat(observe(book, same, new Need(21, 1, 0, true), 0)).isSameAs(book);
    CidrBook least = observe(book, same, NOTHING, 0);
    assertThat(phases(least)).containsExactly("10.0.2.0/29 DRAWN");
    assertThat(observe(book, same, new Need(0, 0, 0, false), 0)).isSameAs(book);
  }

  @Test
  @DisplayName("A57 Free addresses of a block that is withdrawn or in quarantine count for nothing")
  void countsForNothing() {
    CidrBook book = observe(CidrBook.EMPTY, offer("10.0.0.0/28", "10.0.1.0/28"), MUCH, 0);
    held.put(Cidr.parse("10.0.0.0/28"), 1);
    CidrBook withdrawn = observe(book, offer("10.0.1.0/28"), new Need(9, 1, 0, true), 0);
    assertThat(phases(withdrawn)).containsExactly("10.0.1.0/28 DRAWN", "10.0.0.0/28 withdrawn");
    held.clear();

    CidrBook waiting = observe(CidrBook.EMPTY, unlisted(false, "10.0.0.0/28"), MUCH, 0);
    waiting = observe(waiting, offer("10.0.0.0/28", "10.0.1.0/28"), MUCH, 60);
    assertThat(phases(waiting)).containsExactly("10.0.0.0/28 QUARANTINED", "10.0.1.0/28 DRAWN");
    Offer both = offer("10.0.0.0/28", "10.0.1.0/28");
    assertThat(phases(observe(waiting, both, new Need(14, 0, 0, true), 60)))
        .containsExactly("10.0.1.0/28 DRAWN");
    assertThat(observe(waiting, both, new Need(15, 0, 0, true), 60)).isSameAs(waiting);
  }

  @Test
  @DisplayName("A56 As many blocks are taken up again as are needed, in the operator's order")
  void reclaim() {
    Offer offer = offer("10.0.0.0/28", "10.0.1.0/28", "10.0.2.0/28");
    CidrBook none = observe(observe(CidrBook.EMPTY, offer, MUCH, 0), offer, NOTHING, 0);
    assertThat(none.dropped()).hasSize(3);
    assertThat(observe(none, offer, NOTHING, 1)).isSameAs(none);
    CidrBook some = observe(none, offer, new Need(15, 0, 0, true), 1);
    assertThat(phases(some)).containsExactly("10.0.0.0/28 QUARANTINED", "10.0.1.0/28 QUARANTINED");
    assertThat(some.nextEndNanos()).hasValue(seconds(241));
    assertThat(phases(observe(some, offer, new Need(15, 0, 0, true), 241)))
        .containsExactly("10.0.0.0/28 DRAWN", "10.0.1.0/28 DRAWN");
  }

  @Test
  @DisplayName("A56 What is given back is not needed again by the same demand")
  void noFlapping() {
    Offer offer = offer("10.0.0.0/28", "10.0.1.0/28", "10.0.2.0/28");
    CidrBook book = observe(CidrBook.EMPTY, offer, MUCH, 0);
    for (int used = 0; used <= 14; used++) {
      held.put(Cidr.parse("10.0.0.0/28"), used);
      for (int wanted = used; wanted <= 44; wanted++) {
        Need need = new Need(wanted, used, 0, true);
        CidrBook once = observe(book, offer, need, 0);
        assertThat(observe(once, offer, need, 0)).as("%s", need).isSameAs(once);
        CidrBook withdrawn = observe(once, offer("10.0.1.0/28", "10.0.2.0/28"), need, 0);
        assertThat(observe(withdrawn, offer("10.0.1.0/28", "10.0.2.0/28"), need, 0).dropped())
            .isEqualTo(withdrawn.dropped());
      }
    }
  }

  @Test
  @DisplayName("A60 A rejected block is taken up once nothing speaks against it")
  void rejected() {
    CidrBook book = observe(CidrBook.EMPTY, offer("10.0.0.0/29", "10.0.0.0/28"), MUCH, 0);
    assertThat(book.rejected()).isEqualTo(Map.of(Cidr.parse("10.0.0.0/28"), Rejection.OVERLAPS));
    CidrBook alone = observe(book, offer("10.0.0.0/28"), MUCH, 0);
    assertThat(phases(alone)).containsExactly("10.0.0.0/28 DRAWN");
    assertThat(alone.rejected()).isEmpty();

    CidrBook large = observe(CidrBook.EMPTY, offer("10.0.0.0/8", "11.0.0.0/8"), MUCH, 0);
    assertThat(large.rejected()).isEqualTo(Map.of(Cidr.parse("11.0.0.0/8"), Rejection.TOO_LARGE));
    assertThat(observe(CidrBook.EMPTY, offer("::ffff:10.0.0.0/104"), MUCH, 0).rejected())
        .containsValue(Rejection.IPV4_MAPPED);
  }

  @Test
  @DisplayName("A60 First and last addresses of a block change when nobody uses it")
  void edges() {
    CidrBook book = observe(CidrBook.EMPTY, offer("10.0.0.0/28"), MUCH, 0);
    Offer whole = Offer.of(cidrs("10.0.0.0/28"), Edges.BOTH);
    held.put(Cidr.parse("10.0.0.0/28"), 1);
    assertThat(observe(book, whole, MUCH, 0).entries().get(0).capacity()).isEqualTo(14);
    held.clear();
    assertThat(observe(book, whole, MUCH, 0).entries().get(0).capacity()).isEqualTo(16);
  }

  private CidrBook observe(CidrBook book, Offer offer, Need need, int seconds) {
    return book.observe(offer, use, need, TestPools.QUARANTINE, seconds(seconds));
  }

  private static long seconds(int seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  private static Offer offer(String... blocks) {
    return Offer.of(cidrs(blocks), Edges.NONE);
  }

  private static Offer unlisted(boolean mayBeDropped, String... blocks) {
    return new Offer(cidrs(blocks), Set.of(), Edges.NONE, mayBeDropped, Optional.empty());
  }

  private static List<Cidr> cidrs(String... blocks) {
    return Stream.of(blocks).map(Cidr::parse).toList();
  }

  private static List<String> phases(CidrBook book) {
    return book.entries().stream()
        .map(each -> each.cidr() + " " + (each.withdrawn() ? "withdrawn" : each.phase()))
        .toList();
  }
}
