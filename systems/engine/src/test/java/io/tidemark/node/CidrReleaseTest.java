package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * CIDRs have a letter each: 1 and 2 are single addresses, B is a block, f and l are its first and
 * last address.
 */
@DisplayName("What a multi-pool agent has dropped (node-manager 4.9, C-6)")
class CidrReleaseTest {
  private static final Map<Character, Cidr> NAMED =
      Map.of(
          '1', Cidr.parse("10.0.0.1/32"),
          '2', Cidr.parse("10.0.0.2/32"),
          'B', Cidr.parse("10.0.0.16/28"),
          'f', Cidr.parse("10.0.0.16/32"),
          'l', Cidr.parse("10.0.0.31/32"));

  private static Set<Cidr> cidrs(String letters) {
    Set<Cidr> cidrs = new TreeSet<>();
    letters.chars().filter(each -> each != '-').forEach(each -> cidrs.add(NAMED.get((char) each)));
    return cidrs;
  }

  private static AddressSet addresses(String letters) {
    AddressSet all = AddressSet.of();
    for (Cidr cidr : cidrs(letters)) {
      all = all.plus(AddressSet.ofRange(cidr));
    }
    return all;
  }

  /**
   * Looks one after the other, such as "10 1 12": at 10 the agent lists 1, while 1 and 2 are
   * attached and on offer. A fourth word is what is on offer; "saw 1" is a write of an agent that
   * sees 1 on offer, and "gone 1" the end of a release.
   */
  private static CidrRelease after(CidrRelease start, String looks) {
    CidrRelease now = start;
    for (String look : looks.split("; ", -1)) {
      String[] words = look.split(" ", -1);
      if (words[0].equals("saw")) {
        now = now.wroteSeeing(addresses(words[1]));
      } else if (words[0].equals("gone")) {
        now = now.released(cidrs(words[1]));
      } else {
        String offered = words.length > 3 ? words[3] : words[2];
        now =
            now.observe(
                cidrs(words[1]), cidrs(words[2]), addresses(offered), Long.parseLong(words[0]));
      }
    }
    return now;
  }

  @DisplayName(
      "C-6 NM-C2 NM-C3 NM-C4 NM-C6 NM-C9 a timer runs for what was dropped and is on offer")
  @ParameterizedTest(name = "{0}: {1} gives {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          C-6 a look at nothing is a look                         | 0 12 -                             | ''
          NM-C3 what is dropped is timed                          | 0 12 -; 10 1 12                    | 2=10
          NM-C3 a timer is never refreshed                        | 0 12 -; 10 1 12; 20 1 12; 30 - 12  | 1=30 2=10
          NM-C4 what is listed again loses its timer              | 0 12 -; 10 1 12; 12 12 12          | ''
          NM-C4 and starts anew when it is dropped again          | 0 12 -; 10 1 12; 12 12 12; 14 1 12 | 2=14
          NM-C4 what is no longer attached loses its timer        | 0 12 -; 10 1 12; 11 1 1            | ''
          NM-C2 the first look times what is not listed           | 7 1 12B                            | 2=7 B=7
          a dropped block is timed as that block                  | 0 1B 1B; 10 1 1B                   | B=10
          NM-C9 a block stays while one of its addresses is listed | 0 fl B; saw B; 10 l B             | ''
          NM-C9 and goes whole                                    | 0 fl B; saw B; 10 l B; 20 - B      | B=20
          NM-C2 NM-C3 what is new is left alone                   | 0 12 -; 10 1 1B                    | ''
          NM-C3 what was shown and left out is timed              | 0 12 -; saw 1B; 10 1 12B           | 2=10 B=10
          NM-C3 until it is taken up, or gone                     | 0 12 -; saw 1B; 10 1 12B; 20 1B 1B | ''
          NM-C3 left out before the cloud shows it: not yet       | 0 12 -; saw B; 10 1 1              | ''
          NM-C3 left out before the cloud showed it: from then on | 0 12 -; saw B; 10 1 1; 20 1 1B     | B=20
          NM-C3 what returns after a release is new               | 0 12 -; saw B; 10 1 1; 20 1 1B; gone B; 30 1 1B | ''
          NM-C2 no timer begins before the CIDR is on offer       | 7 1 12B 12                         | 2=7
          NM-C2 it could not be taken up meanwhile                | 7 1 12B 12; 20 1 12B 1             | ''
          NM-C2 once it is on offer it is timed                   | 7 1 12B 12; 20 1 12B 1; 30 1 12B   | 2=30 B=30
          NM-C3 what was shown in part is not timed               | 0 12 -; saw f; 10 12 12B           | ''
          NM-C6 only what was released loses its timer            | 0 12 -; 10 - 12; gone 2B           | 1=10
          """)
  void timers(String behaviour, String looks, String timers) {
    Map<Cidr, Long> expected = new TreeMap<>();
    for (String timer : timers.isEmpty() ? new String[0] : timers.split(" ")) {
      expected.put(NAMED.get(timer.charAt(0)), Long.parseLong(timer.substring(2)));
    }
    assertEquals(expected, after(CidrRelease.UNSEEDED, looks).timers(), behaviour);
  }

  @ParameterizedTest(name = "{index}: {0} attached, floor {1}, agent wants {2}: {3}")
  @DisplayName("NM-C5 what may go keeps the floor, the oldest first, unless the agent lacks")
  @CsvSource({
    "20,  0, 2, 12B",
    "20,  2, 2, 12B",
    "20,  3, 2, 2B",
    "20,  4, 2, 12",
    "20,  5, 2, 12",
    "20, 18, 2, 12",
    "20, 19, 2, 2",
    "20, 20, 2, -",
    "20, 30, 2, -",
    "20, 20, 3, 2",
    "20, 20, 4, 2B",
    "20, 19, 3, 2",
  })
  void floor(int available, int minAllocate, int demanded, String spare) {
    CidrRelease timed = after(CidrRelease.UNSEEDED, "0 12B 12B; 10 1B 12B; 20 1 12B; 30 - 12B");
    assertEquals(cidrs(spare), timed.spare(cidrs("12B"), available, 0, minAllocate, demanded));
  }

  @DisplayName("NM-C5 pinned CIDRs take no part, and an agent does not lack what is asked for")
  @ParameterizedTest(
      name = "{0}: of {1}, {2} attached, {3} asked for, floor {4}, agent wants {5}: {6}")
  @CsvSource({
    "0 12 -; 10 2 12; 20 - 12, 12B, 3, 0, 2, 0, 1",
    "0 12 -; 10 2 12; 20 - 12, 2,   3, 0, 2, 0, 2",
    "0 12 -; 10 2 12; 20 - 12, -,   3, 0, 2, 9, -",
    "0 12 -; 10 - 12,          12B, 5, 0, 5, 4, 1",
    "0 12 -; 10 - 12,          12B, 4, 1, 5, 3, -",
    "0 12 -; 10 - 12,          12B, 4, 1, 5, 4, 1",
  })
  void spare(
      String looks, String among, int available, int needed, int floor, int wants, String spare) {
    assertEquals(
        cidrs(spare),
        after(CidrRelease.UNSEEDED, looks).spare(cidrs(among), available, needed, floor, wants));
  }

  @Test
  @DisplayName("C-7 NM-C5 what was timed for the whole delay is due, and only what may go waits")
  void due() {
    CidrRelease timed = after(CidrRelease.UNSEEDED, "0 12 -; 10 1 12; 12 - 12");
    assertEquals(cidrs("-"), timed.due(14, 5));
    assertEquals(cidrs("2"), timed.due(15, 5));
    assertEquals(cidrs("12"), timed.due(17, 5));
    assertEquals(OptionalLong.of(15), timed.nextDueNanos(12, 5));
    assertEquals(OptionalLong.of(17), timed.nextDueNanos(15, 5));
    assertEquals(OptionalLong.empty(), timed.nextDueNanos(17, 5));
  }
}
