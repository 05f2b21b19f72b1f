package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a multi-pool agent has dropped (node-manager 4.9, C-6)")
class CidrReleaseTest {
  private static final String ONE = "10.0.0.1/32";
  private static final String TWO = "10.0.0.2/32";
  private static final String BLOCK = "10.0.0.16/28";

  private static Set<Cidr> cidrs(String... texts) {
    Set<Cidr> cidrs = new TreeSet<>();
    Arrays.stream(texts).map(Cidr::parse).forEach(cidrs::add);
    return cidrs;
  }

  private static AddressSet spelled(Set<Cidr> cidrs) {
    AddressSet all = AddressSet.of();
    for (Cidr cidr : cidrs) {
      all = all.plus(AddressSet.ofRange(cidr));
    }
    return all;
  }

  /** Everything can be released. */
  private static final Set<Cidr> ANY = cidrs(ONE, TWO, BLOCK);

  private static CidrRelease seeded() {
    return CidrRelease.UNSEEDED.observe(true, cidrs(ONE, TWO), cidrs(), spelled(cidrs()), 0);
  }

  @Test
  @DisplayName("C-6 NM-C1 an agent without several pools seeds nothing")
  void notMultiPool() {
    CidrRelease after =
        CidrRelease.UNSEEDED.observe(
            false, cidrs(ONE), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 5);
    assertFalse(after.seeded(), "an agent without several pools seeds nothing");
    assertEquals(Map.of(), after.timers());
  }

  @Test
  @DisplayName("C-6 the first look with nothing attached seeds and times nothing")
  void seeds() {
    assertTrue(seeded().seeded(), "a look at nothing is a look");
    assertEquals(Map.of(), seeded().timers());
  }

  @Test
  @DisplayName("NM-C2 the first look times what is attached and not listed")
  void firstLookTimesTheRest() {
    CidrRelease first =
        CidrRelease.UNSEEDED.observe(
            true, cidrs(ONE), cidrs(ONE, TWO, BLOCK), spelled(cidrs(ONE, TWO, BLOCK)), 7);
    assertEquals(Map.of(Cidr.parse(TWO), 7L, Cidr.parse(BLOCK), 7L), first.timers());
  }

  @Test
  @DisplayName("C-6 NM-C3 what is dropped while attached is timed")
  void dropped() {
    CidrRelease dropped =
        seeded().observe(true, cidrs(ONE), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 10);
    assertEquals(Map.of(Cidr.parse(TWO), 10L), dropped.timers());
  }

  @Test
  @DisplayName("C-6 NM-C3 a timer is never refreshed")
  void keepsFirstTime() {
    CidrRelease again =
        seeded()
            .observe(true, cidrs(ONE), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 10)
            .observe(true, cidrs(ONE), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 20)
            .observe(true, cidrs(), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 30);
    assertEquals(Map.of(Cidr.parse(TWO), 10L, Cidr.parse(ONE), 30L), again.timers());
    assertEquals(OptionalLong.of(15), again.nextDueNanos(cidrs(ONE, TWO), 10, 5));
  }

  @Test
  @DisplayName("C-6 NM-C4 what is listed again loses its timer, and starts anew when dropped again")
  void listedAgain() {
    CidrRelease back =
        seeded()
            .observe(true, cidrs(ONE), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 10)
            .observe(true, cidrs(ONE, TWO), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 12);
    assertEquals(Map.of(), back.timers());
    assertEquals(
        Map.of(Cidr.parse(TWO), 14L),
        back.observe(true, cidrs(ONE), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 14).timers());
  }

  @Test
  @DisplayName("C-6 NM-C4 what is no longer attached loses its timer")
  void detached() {
    CidrRelease gone =
        seeded()
            .observe(true, cidrs(ONE), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 10)
            .observe(true, cidrs(ONE), cidrs(ONE), spelled(cidrs(ONE)), 11);
    assertEquals(Map.of(), gone.timers());
  }

  @Test
  @DisplayName("C-6 a dropped block is timed as that block, not as its addresses")
  void block() {
    CidrRelease dropped =
        CidrRelease.UNSEEDED
            .observe(true, cidrs(ONE, BLOCK), cidrs(ONE, BLOCK), spelled(cidrs(ONE, BLOCK)), 0)
            .observe(true, cidrs(ONE), cidrs(ONE, BLOCK), spelled(cidrs(ONE, BLOCK)), 10);
    assertEquals(Map.of(Cidr.parse(BLOCK), 10L), dropped.timers());
  }

  @Test
  @DisplayName("NM-C9 a block stays while its agent lists one of its addresses, and goes whole")
  void blockByItsAddresses() {
    String first = "10.0.0.16/32";
    String last = "10.0.0.31/32";
    CidrRelease seeing =
        CidrRelease.UNSEEDED
            .observe(true, cidrs(first, last), cidrs(BLOCK), spelled(cidrs(BLOCK)), 0)
            .wroteSeeing(spelled(cidrs(BLOCK)));
    CidrRelease half = seeing.observe(true, cidrs(last), cidrs(BLOCK), spelled(cidrs(BLOCK)), 10);
    assertEquals(Map.of(), half.timers());
    CidrRelease none = half.observe(true, cidrs(), cidrs(BLOCK), spelled(cidrs(BLOCK)), 20);
    assertEquals(Map.of(Cidr.parse(BLOCK), 20L), none.timers());
  }

  @Test
  @DisplayName("NM-C2 NM-C3 what is new is left alone until the agent has written, seeing it")
  void newAndSilent() {
    CidrRelease silent =
        seeded().observe(true, cidrs(ONE), cidrs(ONE, BLOCK), spelled(cidrs(ONE, BLOCK)), 10);
    assertEquals(Map.of(), silent.timers());
  }

  @Test
  @DisplayName("NM-C3 what the agent was shown and left out when it wrote is timed")
  void leftOut() {
    AddressSet shown =
        AddressSet.ofRange(Cidr.parse(ONE)).plus(AddressSet.ofRange(Cidr.parse(BLOCK)));
    CidrRelease wrote =
        seeded()
            .wroteSeeing(shown)
            .observe(true, cidrs(ONE), cidrs(ONE, TWO, BLOCK), spelled(cidrs(ONE, TWO, BLOCK)), 10);
    assertEquals(Map.of(Cidr.parse(BLOCK), 10L, Cidr.parse(TWO), 10L), wrote.timers());
    CidrRelease later =
        wrote.observe(true, cidrs(ONE, BLOCK), cidrs(ONE, BLOCK), spelled(cidrs(ONE, BLOCK)), 20);
    assertEquals(Map.of(), later.timers(), "taken up, or gone");
  }

  @Test
  @DisplayName("NM-C3 what was left out before the cloud showed it is timed from then on")
  void leftOutBeforeItCame() {
    CidrRelease wrote =
        seeded()
            .wroteSeeing(AddressSet.ofRange(Cidr.parse(BLOCK)))
            .observe(true, cidrs(ONE), cidrs(ONE), spelled(cidrs(ONE)), 10);
    assertEquals(Map.of(), wrote.timers());
    CidrRelease came =
        wrote.observe(true, cidrs(ONE), cidrs(ONE, BLOCK), spelled(cidrs(ONE, BLOCK)), 20);
    assertEquals(Map.of(Cidr.parse(BLOCK), 20L), came.timers());
    assertEquals(
        Map.of(),
        came.released(cidrs(BLOCK))
            .observe(true, cidrs(ONE), cidrs(ONE, BLOCK), spelled(cidrs(ONE, BLOCK)), 30)
            .timers(),
        "what returns after it was given back is new");
  }

  @Test
  @DisplayName(
      "NM-C2 no timer begins before the object offers the CIDR, so that it can be taken up")
  void notOfferedYet() {
    CidrRelease first =
        CidrRelease.UNSEEDED.observe(
            true, cidrs(ONE), cidrs(ONE, TWO, BLOCK), spelled(cidrs(ONE, TWO)), 7);
    assertEquals(Map.of(Cidr.parse(TWO), 7L), first.timers());
    CidrRelease still =
        first.observe(true, cidrs(ONE), cidrs(ONE, TWO, BLOCK), spelled(cidrs(ONE)), 20);
    assertEquals(Map.of(), still.timers(), "it could not be taken up meanwhile");
    CidrRelease offered =
        still.observe(
            true, cidrs(ONE), cidrs(ONE, TWO, BLOCK), spelled(cidrs(ONE, TWO, BLOCK)), 30);
    assertEquals(Map.of(Cidr.parse(TWO), 30L, Cidr.parse(BLOCK), 30L), offered.timers());
  }

  @Test
  @DisplayName("NM-C3 what the agent was not shown, or only a part of, is not timed")
  void notShown() {
    AddressSet part = AddressSet.of(Cidr.parse(BLOCK).first());
    CidrRelease wrote =
        seeded()
            .wroteSeeing(part)
            .observe(
                true, cidrs(ONE, TWO), cidrs(ONE, TWO, BLOCK), spelled(cidrs(ONE, TWO, BLOCK)), 10);
    assertEquals(Map.of(), wrote.timers());
  }

  @ParameterizedTest(name = "{index}: {0} attached, floor {1}, agent wants {2}: {3}")
  @DisplayName("NM-C5 what may go keeps the floor, the oldest first, unless the agent lacks")
  @CsvSource({
    "20, 0, 2, 10.0.0.1/32 10.0.0.2/32 10.0.0.16/28",
    "20, 2, 2, 10.0.0.1/32 10.0.0.2/32 10.0.0.16/28",
    "20, 3, 2, 10.0.0.2/32 10.0.0.16/28",
    "20, 4, 2, 10.0.0.1/32 10.0.0.2/32",
    "20, 5, 2, 10.0.0.1/32 10.0.0.2/32",
    "20, 18, 2, 10.0.0.1/32 10.0.0.2/32",
    "20, 19, 2, 10.0.0.2/32",
    "20, 20, 2, ''",
    "20, 30, 2, ''",
    "20, 20, 3, 10.0.0.2/32",
    "20, 20, 4, 10.0.0.2/32 10.0.0.16/28",
    "20, 19, 3, 10.0.0.2/32",
  })
  void floor(int available, int minAllocate, int demanded, String spare) {
    CidrRelease timed =
        CidrRelease.UNSEEDED
            .observe(
                true,
                cidrs(ONE, TWO, BLOCK),
                cidrs(ONE, TWO, BLOCK),
                spelled(cidrs(ONE, TWO, BLOCK)),
                0)
            .observe(
                true,
                cidrs(ONE, BLOCK),
                cidrs(ONE, TWO, BLOCK),
                spelled(cidrs(ONE, TWO, BLOCK)),
                10)
            .observe(true, cidrs(ONE), cidrs(ONE, TWO, BLOCK), spelled(cidrs(ONE, TWO, BLOCK)), 20)
            .observe(true, cidrs(), cidrs(ONE, TWO, BLOCK), spelled(cidrs(ONE, TWO, BLOCK)), 30);
    Set<Cidr> expected = spare.isEmpty() ? cidrs() : cidrs(spare.split(" "));
    assertEquals(expected, timed.spare(ANY, available, 0, minAllocate, demanded));
  }

  @Test
  @DisplayName("NM-C5 the provider's pinned CIDRs take no part of what is above the floor")
  void pinned() {
    CidrRelease timed =
        seeded()
            .observe(true, cidrs(TWO), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 10)
            .observe(true, cidrs(), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 20);
    assertEquals(cidrs(ONE), timed.spare(ANY, 3, 0, 2, 0));
    assertEquals(cidrs(TWO), timed.spare(cidrs(TWO), 3, 0, 2, 0));
    assertEquals(cidrs(), timed.spare(cidrs(), 3, 0, 2, 9));
  }

  @Test
  @DisplayName("NM-C5 an agent does not lack what is being asked for")
  void askedFor() {
    CidrRelease timed =
        seeded().observe(true, cidrs(), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 10);
    assertEquals(cidrs(ONE), timed.spare(ANY, 5, 0, 5, 4));
    assertEquals(cidrs(), timed.spare(ANY, 4, 1, 5, 3));
    assertEquals(cidrs(ONE), timed.spare(ANY, 4, 1, 5, 4));
  }

  @Test
  @DisplayName("NM-C5 only what may go makes the node wait for a delay")
  void nextDue() {
    CidrRelease timed =
        seeded()
            .observe(true, cidrs(ONE), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 10)
            .observe(true, cidrs(), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 12);
    assertEquals(OptionalLong.of(15), timed.nextDueNanos(cidrs(ONE, TWO), 12, 5));
    assertEquals(OptionalLong.of(17), timed.nextDueNanos(cidrs(ONE), 12, 5));
    assertEquals(OptionalLong.empty(), timed.nextDueNanos(cidrs(), 12, 5));
  }

  @Test
  @DisplayName("C-7 only what was timed for the whole delay is due")
  void due() {
    CidrRelease timed =
        seeded()
            .observe(true, cidrs(ONE), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 10)
            .observe(true, cidrs(), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 12);
    assertEquals(cidrs(), timed.due(14, 5));
    assertEquals(cidrs(TWO), timed.due(15, 5));
    assertEquals(cidrs(ONE, TWO), timed.due(17, 5));
  }

  @Test
  @DisplayName("NM-C6 only what was released loses its timer")
  void released() {
    CidrRelease timed =
        seeded().observe(true, cidrs(), cidrs(ONE, TWO), spelled(cidrs(ONE, TWO)), 10);
    assertEquals(Map.of(Cidr.parse(ONE), 10L), timed.released(cidrs(TWO, BLOCK)).timers());
  }
}
