package io.tidemark.provider.kit.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The ladder of requests")
class LadderTest {
  private static final Ladder LADDER = new Ladder(true);
  private static final int PLACES = 9;

  private static Pool<String> pool(String id, int free) {
    return pool(id, free, false);
  }

  private static Pool<String> pool(String id, int free, boolean fragmented) {
    return new Pool<>(
        new PoolId(id), "zone", "subnet", true, free, OptionalInt.empty(), false, fragmented);
  }

  private static List<Rung<String>> onNew(
      AddressPlan plan, List<Pool<String>> pools, int places, boolean primary, boolean blocks) {
    return LADDER.onNewInterface(
        plan, pools, new Ladder.NewInterface(places, primary, blocks), pool -> false);
  }

  private static AddressPlan plan(int wanted, int blockSize) {
    return new AddressPlan(1000, wanted, OptionalInt.empty(), blockSize, 1);
  }

  private static List<String> text(List<Rung<String>> ladder) {
    return ladder.stream()
        .map(
            each ->
                each.pool().id().text()
                    + (each.blocks() > 0 ? "/p" + each.blocks() : "/s" + each.singles()))
        .toList();
  }

  @DisplayName("2.2 what a creation asks for first")
  @ParameterizedTest(name = "{0} places, blocks {1}, {2} wanted: {3}")
  @CsvSource({
    " 9, false,   8, s-1/s8",
    " 9, false,  40, s-1/s9",
    " 9, true,   40, s-1/p3",
    " 9, true,  500, s-1/p9",
    " 1, false,   8, s-1/s1",
    " 1, true,    8, s-1/p1",
    "19, true,   30, s-1/p2",
  })
  void firstRung(int places, boolean prefixes, int wanted, String first) {
    List<Rung<String>> ladder =
        onNew(plan(wanted, prefixes ? 16 : 1), List.of(pool("s-1", 1000)), places, false, prefixes);
    assertThat(text(ladder)).startsWith(first);
  }

  @DisplayName("AWS-66 blocks of sixteen that so many addresses need")
  @ParameterizedTest(name = "AWS-66 {0} addresses: {1}")
  @CsvSource({"0, 0", "1, 1", "9, 1", "16, 1", "17, 2", "31, 2", "32, 2", "33, 3"})
  void blocks(int addresses, int blocks) {
    assertThat(plan(addresses, 16).blocks()).isEqualTo(blocks);
  }

  @Test
  @DisplayName("AWS-35 AWS-37 AWS-40 T4 prefixes in the best subnet and its siblings, then singles")
  void siblings() {
    List<Rung<String>> ladder =
        onNew(plan(20, 16), List.of(pool("a", 1000), pool("b", 500)), PLACES, false, true);
    assertThat(text(ladder)).containsExactly("a/p2", "a/p1", "b/p2", "b/p1", "a/s9", "b/s9");

    Pool<String> fragmented = pool("a", 1000, true);
    assertThat(text(onNew(plan(20, 16), List.of(fragmented, pool("b", 500)), PLACES, false, true)))
        .containsExactly("b/p2", "b/p1", "a/s9", "b/s9");
    assertThat(text(onNew(plan(2, 16), List.of(fragmented), PLACES, false, true)))
        .containsExactly("a/s2");
  }

  @Test
  @DisplayName("2.4 at most three siblings are tried")
  void siblingsMax() {
    List<Rung<String>> ladder =
        onNew(
            plan(1, 16),
            List.of(pool("a", 99), pool("b", 98), pool("c", 97), pool("d", 96), pool("e", 95)),
            PLACES,
            false,
            true);
    assertThat(text(ladder)).doesNotContain("e/p1", "e/s1").contains("d/p1");
  }

  @Test
  @DisplayName(
      "AWS-42 AWS-43 3.3 on an attached interface: prefixes, one prefix, singles, one single")
  void attached() {
    assertThat(text(LADDER.onInterface(plan(25, 16), pool("s-1", 200), 8)))
        .containsExactly("s-1/p2", "s-1/p1", "s-1/s8", "s-1/s1");
    assertThat(text(LADDER.onInterface(plan(2, 1), pool("s-1", 15), 8)))
        .containsExactly("s-1/s2", "s-1/s1");
  }

  @Test
  @DisplayName("AWS-85 without a free place nothing is asked")
  void clamp() {
    assertThat(LADDER.onInterface(plan(8, 1), pool("s-1", 200), 0)).isEmpty();
    assertThat(LADDER.onInterface(plan(8, 16), pool("s-1", 200), 0)).isEmpty();
    assertThat(LADDER.onInterface(plan(8, 1), pool("s-1", 0), 5)).isEmpty();
  }

  @DisplayName("what a creation asks for where its primary address counts for pods")
  @ParameterizedTest(name = "{0} wanted, at most {1}, prefixes {2}: {3}")
  @CsvSource({
    "20, 33, true,  s-1/p2 s-1/p1 s-1/s9",
    "20, 32, true,  s-1/p1 s-1/s9",
    "20, 16, true,  s-1/s9",
    "1,  1,  false, s-1/s0",
    "5,  3,  false, s-1/s2",
  })
  void primaryCounts(int wanted, int atMost, boolean prefixes, String ladder) {
    AddressPlan plan = new AddressPlan(1000, wanted, OptionalInt.of(atMost), prefixes ? 16 : 1, 1);
    assertThat(text(onNew(plan, List.of(pool("s-1", 1000)), PLACES, true, prefixes)))
        .containsExactly(ladder.split(" "));
  }

  @DisplayName("an interface for something else alone takes its primary address")
  @ParameterizedTest(name = "{0} wanted, bare {1}: {2}")
  @CsvSource({"0, true, 6/s0", "0, false, -", "3, true, 6/s3"})
  void bare(int wanted, boolean bare, String ladder) {
    List<Rung<String>> rungs =
        LADDER.onNewInterface(
            plan(wanted, 1),
            List.of(pool("6", 100)),
            new Ladder.NewInterface(PLACES, false, false),
            pool -> bare);
    assertThat(rungs.isEmpty() ? List.of("-") : text(rungs)).containsExactly(ladder);
  }

  @DisplayName("singles leave the primary address its place in the subnet")
  @ParameterizedTest(name = "{0} free: {1}")
  @CsvSource({"1, -", "2, s-1/s1", "3, s-1/s2", "100, s-1/s8"})
  void roomForPrimary(int free, String ladder) {
    List<Rung<String>> rungs = onNew(plan(8, 1), List.of(pool("s-1", free)), PLACES, false, false);
    assertThat(rungs.isEmpty() ? List.of("-") : text(rungs)).containsExactly(ladder);
  }

  @Test
  @DisplayName("each rung has its name in metrics and logs, and says how many addresses it brings")
  void labels() {
    List<Pool<String>> pools = List.of(pool("a", 1000), pool("b", 500));
    assertThat(onNew(plan(20, 16), pools, PLACES, false, true))
        .extracting(Rung::label)
        .containsExactly("prefixes", "onePrefix", "sibling", "sibling", "singles", "singles");
    assertThat(LADDER.onInterface(plan(25, 16), pool("a", 200), 8))
        .extracting(Rung::label)
        .containsExactly("prefixes", "onePrefix", "singles", "oneSingle");
    assertThat(LADDER.onInterface(plan(25, 16), pool("a", 200), 8))
        .extracting(Rung::addresses)
        .containsExactly(32, 16, 8, 1);
  }

  @Test
  @DisplayName("one address is asked for once")
  void onlyOne() {
    assertThat(text(LADDER.onInterface(plan(1, 1), pool("s-1", 200), 8))).containsExactly("s-1/s1");
    assertThat(text(LADDER.onInterface(plan(16, 16), pool("s-1", 200), 8)))
        .containsExactly("s-1/p1", "s-1/s8", "s-1/s1");
  }

  @Test
  @DisplayName("a ladder need not end with one single, and passes no ceiling")
  void withoutLastRung() {
    Ladder plain = new Ladder(false);
    assertThat(text(plain.onInterface(plan(20, 16), pool("a", 200), 9)))
        .containsExactly("a/p2", "a/p1", "a/s9");
    AddressPlan atMost = new AddressPlan(0, 20, OptionalInt.of(18), 16, 0);
    assertThat(text(plain.onInterface(atMost, pool("a", 200), 9))).containsExactly("a/p1", "a/s9");
    AddressPlan none = new AddressPlan(0, 8, OptionalInt.of(0), 16, 0);
    assertThat(plain.onInterface(none, pool("a", 200), 9)).isEmpty();
  }

  @Test
  @DisplayName("Z30 a ladder that tries no single block goes from blocks to singles at once")
  void noSingleBlock() {
    Pool<String> pool = pool("s-1", 1000);
    AddressPlan wanted = plan(40, 16);
    assertThat(text(new Ladder(false, false).onInterface(wanted, pool, 9)))
        .containsExactly("s-1/p3", "s-1/s9");
    assertThat(text(new Ladder(false, true).onInterface(wanted, pool, 9)))
        .containsExactly("s-1/p3", "s-1/p1", "s-1/s9");
    assertThat(text(new Ladder(true, false).onInterface(wanted, pool, 9)))
        .containsExactly("s-1/p3", "s-1/s9", "s-1/s1");
  }
}
