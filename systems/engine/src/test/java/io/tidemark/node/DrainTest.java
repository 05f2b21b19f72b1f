package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InterfaceId;
import io.tidemark.testing.Cases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Interfaces that shall be emptied: others first, then these")
class DrainTest {
  private static final AddressSet OLD = AddressSet.ofRange(Cidr.parse("10.0.1.0/24"));
  private static final AddressSet NEW = AddressSet.ofRange(Cidr.parse("10.0.2.0/24"));

  private static AttachedInterface old(int singles, String... blocks) {
    return new AttachedInterface(
            new InterfaceId("eni-old"),
            OLD.first(singles),
            Stream.of(blocks).map(Cidr::parse).toList())
        .drained();
  }

  private static AttachedInterface fresh(int singles) {
    return new AttachedInterface(new InterfaceId("eni-new"), NEW.first(singles), List.of());
  }

  private static Watermarks marks(int p, int m, int max, int w) {
    return new Watermarks(p, m, max == 0 ? OptionalInt.empty() : OptionalInt.of(max), w);
  }

  @DisplayName("what is free there counts as absent, what pods hold does not")
  @ParameterizedTest(
      name =
          "old {0} of which {1} used, new {2}, used {3}; p={4} m={5} M={6} w={7} -> {8} {9} {10}")
  @CsvSource({
    // old oldUsed new used | p m M w | free held replacing
    " 8, 0,  0,  0,  8,  0,  0, 0,  8, 8, 8",
    "10, 2,  0,  2,  8,  0,  0, 0,  8, 8, 8",
    "10, 2,  3,  2,  8,  0,  0, 0,  8, 5, 5",
    "10, 2,  8,  2,  8,  0,  0, 0,  8, 0, 0",
    "10, 2, 20,  2,  8,  0,  0, 0,  8, 0, 0",
    // nothing free: nothing to do
    "10, 10, 8, 10,  8,  0,  0, 0,  0, 0, 0",
    // a deficit of its own is no part of the drain
    " 4, 0,  0,  0,  8,  0,  0, 0,  4, 4, 4",
    // the floor holds them, too
    "10, 0,  5,  0,  1, 12,  0, 0, 10, 7, 7",
    // above the watermarks there is nothing to hold
    "10, 0, 10,  2,  8,  0,  0, 4, 10, 0, 0",
    // the ceiling counts all that is attached
    "10, 2,  0,  2,  8,  0, 12, 0,  8, 8, 2",
    "10, 2,  0,  2,  8,  0, 11, 0,  8, 8, 1",
    "10, 2,  0,  2,  8,  0, 10, 0,  8, 8, 0",
    "10, 2,  0,  2,  8,  0,  5, 0,  8, 8, 0",
    // what pods lack comes before, out of the same room
    " 4, 0,  4,  4,  8,  0, 14, 0,  4, 4, 2",
    // a negative watermark asks for nothing
    "10, 2,  0,  2, -1,  0,  0, 0,  8, 0, 0",
  })
  void numbers(
      int old,
      int oldUsed,
      int kept,
      int used,
      int p,
      int m,
      int max,
      int w,
      int free,
      int held,
      int replacing) {
    Drain drain =
        Drain.of(
            List.of(old(old), fresh(kept)),
            marks(p, m, max, w),
            old + kept,
            used,
            OLD.first(oldUsed).plus(NEW.first(used - oldUsed)),
            false);
    int leaving = drain.leaving();
    assertEquals(new Drain(1, oldUsed, free, held, replacing, leaving), drain);
    assertEquals(
        Math.min(free, held == 0 ? free : marks(p, m, max, w).excess(old + kept, used)), leaving);
  }

  @DisplayName("a block leaves whole: with a pod in it, what is free of it counts as absent, too")
  @ParameterizedTest(name = "{0} blocks, {1} singles, pods {2}, p={3} M={4} w={5} -> {6}")
  @CsvSource({
    // blocks singles pods | p M w | idle held replacing leaving
    "1,  0, 5,  8,  0, 0, '11 8 8 0'",
    "1,  0, 0,  8,  0, 0, '16 8 8 0'",
    "2,  0, 1,  8,  0, 0, '31 8 8 16'",
    "2,  0, 1, 20,  0, 0, '31 20 20 0'",
    "2, 12, 1, 20,  0, 0, '43 20 20 23'",
    // under the ceiling: only where something can leave then
    "1,  0, 0, 16, 20, 0, '16 16 0 0'",
    "1,  0, 0, 16, 31, 0, '16 16 0 0'",
    "1,  0, 0, 16, 32, 0, '16 16 16 0'",
    "1,  0, 0,  4, 20, 0, '16 4 4 0'",
    "2,  0, 9,  8, 36, 0, '23 8 4 0'",
    "2,  0, 9,  8, 32, 0, '23 8 0 0'",
    "1,  4, 0, 16, 24, 0, '20 16 4 4'",
    // above the watermark nothing goes that others do not replace
    "0, 12, 0,  8,  0, 4, '12 8 8 0'",
    "0, 14, 0,  8,  0, 4, '14 8 8 2'",
    "1,  0, 0,  8, 24, 4, '16 8 8 0'",
  })
  void blocks(int blocks, int singles, int pods, int p, int max, int w, String expected) {
    String[] all = {"10.0.3.0/28", "10.0.3.16/28"};
    Drain drain =
        Drain.of(
            List.of(old(singles, Arrays.copyOf(all, blocks)), fresh(0)),
            marks(p, 0, max, w),
            singles + 16 * blocks,
            pods,
            AddressSet.ofRange(Cidr.parse("10.0.3.0/28")).first(pods),
            false);
    assertEquals(
        expected,
        drain.idle() + " " + drain.held() + " " + drain.replacing() + " " + drain.leaving());
    assertEquals(pods, drain.inUse());
  }

  @Test
  @DisplayName("where no new pods come, nothing is asked for in its place")
  void closed() {
    assertEquals(
        new Drain(1, 0, 8, 8, 0, 0),
        Drain.of(List.of(old(8)), marks(8, 0, 0, 0), 8, 0, AddressSet.of(), true));
  }

  @DisplayName("without such an interface the numbers are those of the watermarks alone")
  @ParameterizedTest(name = "a={0} u={1} p={2} m={3} M={4} w={5}")
  @CsvSource({
    "30, 6, 8, 10, 0, 4",
    "8, 7, 8, 0, 0, 0",
    "61, 29, 20, 60, 0, 0",
    "20, 18, 8, 0, 18, 0"
  })
  void asEver(int a, int u, int p, int m, int max, int w) {
    assertEquals(
        Drain.NONE, Drain.of(List.of(fresh(a)), marks(p, m, max, w), a, u, NEW.first(u), false));
  }

  /** Such as "p=8 old=10": pre-allocate is 8, 10 singles are on the old interface. */
  private static DrainingNode node(String settings) {
    Map<String, Integer> given = new HashMap<>();
    for (String each : settings.split(" ", -1)) {
      given.put(each.replaceAll("=.*", ""), Integer.parseInt(each.replaceAll(".*=", "")));
    }
    DrainingNode node =
        new DrainingNode(
            given.getOrDefault("keeps", 0) == 0,
            given.getOrDefault("p", 8),
            given.getOrDefault("m", 0),
            given.getOrDefault("M", 0),
            given.getOrDefault("w", 0));
    node.hold(DrainingNode.OLD, given.getOrDefault("old", 0));
    node.holdBlocks(DrainingNode.OLD, given.getOrDefault("blocks", 0));
    node.hold(DrainingNode.NEW, given.getOrDefault("new", 0));
    node.blocks = given.getOrDefault("inBlocks", 0) == 1;
    node.room = given.getOrDefault("room", node.room);
    return node;
  }

  @DisplayName("others come first, then it goes; and where that cannot be, it waits and says why")
  @ParameterizedTest(name = "{0}: {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          others come first, at the end nothing is planned | old=10 | holds old 10; allocate 8; release 10 of old; idle; holds new 8
          where surplus is kept it is like any other | old=10 keeps=1 | idle; holds old 10
          at max-allocate it waits and is not blocked | old=8 M=8 | waits MAX_ALLOCATE; needed 0; excess 0
          at max-allocate surplus leaves all the same | old=12 M=12 | release 4 of old; allocate 4; release 4 of old; allocate 4; release 4 of old; idle; holds new 8
          no room elsewhere: it waits until there is room | old=10 room=0 | release 2 of old; waits OUT_OF_INTERFACES; needed 0; room 5; allocate 5; release 5 of old; waits OUT_OF_INTERFACES; holds old 3, new 5
          pods that lack addresses block as ever | old=10 room=0 | pods 10; stuck OUT_OF_INTERFACES; needed 8
          max-above-watermark keeps nothing of it | w=4 old=10 new=9 | release 10 of old; idle; holds new 9
          pods on it change nothing elsewhere | blocks=1 inBlocks=1 | pods 5; allocate 16; pods 5; idle; pods 1; idle; pods 16; idle; pods 2; idle; holds old 16, new 16; pods 0; release 16 of old; idle; holds new 16
          nor where a floor asks for more | m=30 blocks=1 inBlocks=1 | pods 5; allocate 32; pods 5; idle; pods 1; idle; pods 16; idle; pods 2; idle; holds old 16, new 32; pods 0; release 16 of old; idle; holds new 32
          a floor that pods on it meet is kept when they end | m=20 old=8 new=20 | pods 8; idle; pods 0; release 8 of old; idle; holds new 20
          what max-above-watermark keeps stays without a place | w=4 old=12 room=0 | waits OUT_OF_INTERFACES; excess 0; pods 4; waits OUT_OF_INTERFACES; holds old 12
          a part of the place of a block is not asked for | p=16 M=20 blocks=1 | waits MAX_ALLOCATE; excess 0; holds old 16
          """)
  void story(String what, String settings, String story) {
    DrainingNode node = node(settings);
    for (String each : story.split("; ", -1)) {
      String[] words = each.split(" ", 2);
      switch (words[0]) {
        case "room" -> node.room = Integer.parseInt(words[1]);
        case "pods" -> node.use(DrainingNode.OLD, Integer.parseInt(words[1]));
        case "holds" -> assertEquals(words[1], node.toString(), what);
        case "needed" ->
            assertEquals(Integer.parseInt(words[1]), node.snapshot().statistics().needed(), what);
        case "excess" ->
            assertEquals(Integer.parseInt(words[1]), node.snapshot().statistics().excess(), what);
        default -> assertEquals(each, node.step(), what);
      }
    }
    if (settings.contains("keeps")) {
      assertEquals(Drain.NONE, node.snapshot().drain());
    }
  }

  @Test
  @DisplayName("while the drain pauses, an IPv6 prefix is asked for alone")
  void prefixBesides() {
    DrainingNode node = node("old=10");
    node.ipv6 = true;
    node.use(DrainingNode.OLD, 2);
    MaintenancePlan both = node.plan(Optional.empty());
    assertEquals(8, both.asksFor());
    Blocked pause = new Blocked(BlockedReason.BACKING_OFF, "after a failure");
    MaintenancePlan alone = node.plan(Optional.of(pause));
    assertTrue(alone.adds(), alone::toString);
    assertEquals(0, alone.asksFor());
  }

  @Test
  @DisplayName("a prefix without room: no word of a drain where there is none")
  void prefixWithoutRoom() {
    DrainingNode node = node("new=10 room=0");
    node.use(DrainingNode.NEW, 2);
    node.ipv6 = true;
    MaintenancePlan plan = node.plan(Optional.empty());
    assertTrue(plan.toString().contains("0 addresses missing"), plan::toString);
  }

  static Stream<Long> seeds() {
    return new Random(20_260).longs(Cases.of(400), 0, 1_000_000).boxed();
  }

  @DisplayName("whatever pods do: nothing of theirs goes, the ceiling holds, and it ends")
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void random(long seed) {
    Random random = new Random(seed);
    int max = random.nextInt(3) == 0 ? 16 + random.nextInt(60) : 0;
    DrainingNode node =
        new DrainingNode(
            true, 1 + random.nextInt(20), random.nextInt(3) * 10, max, random.nextInt(3) * 3);
    node.blocks = random.nextBoolean();
    node.room = random.nextInt(4) == 0 ? random.nextInt(40) : 500;
    node.hold(DrainingNode.OLD, random.nextInt(30));
    node.holdBlocks(DrainingNode.OLD, random.nextInt(3));
    node.hold(DrainingNode.NEW, random.nextInt(20));
    boolean onOldAlone = random.nextBoolean();
    node.useRandomly(random, false);
    int before = node.size();
    List<String> history = new ArrayList<>();
    for (int round = 0; round < 6; round++) {
      List<String> steps = new ArrayList<>();
      while (!node.step().matches("idle|waits.*|stuck.*")) {
        steps.add(node.last());
        String story = "seed " + seed + " round " + round + ": " + steps + " at " + node;
        assertTrue(steps.size() <= 60, () -> "it never ends: " + story);
        assertTrue(max == 0 || node.size() <= Math.max(max, before), () -> "ceiling: " + story);
        assertTrue(node.holdsUsed(), () -> "taken from pods: " + story);
        NodeStatistics now = node.snapshot().statistics();
        assertTrue(
            !node.last().startsWith("release") || now.needed() == 0,
            () -> "given back and missing: " + story);
      }
      String story = "seed " + seed + " round " + round + ": " + steps + " at " + node;
      history.addAll(steps);
      // pods that move among the others change what is missing there, as on any node
      List<String> one = onOldAlone ? history : steps;
      assertFalse(toAndFro(one), () -> "given back and asked for again: " + one + story);
      if (node.last().equals("idle")) {
        Drain drain = node.snapshot().drain();
        assertEquals(0, drain.leaving() + drain.held(), () -> "left over: " + story);
      }
      node.useRandomly(random, onOldAlone);
    }
  }

  /** Whether something was given back of what stays, and others asked for later. */
  private static boolean toAndFro(List<String> steps) {
    return steps.stream()
        .dropWhile(step -> !step.endsWith("of new"))
        .anyMatch(step -> step.startsWith("allocate"));
  }
}
