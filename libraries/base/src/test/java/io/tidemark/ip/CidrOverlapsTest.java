package io.tidemark.ip;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.CidrOverlaps.Held;
import io.tidemark.ip.CidrOverlaps.Overlap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("CIDRs of many holders")
class CidrOverlapsTest {
  /** Such as {@code a=10.0.0.0/24 b=10.0.0.0/25}. */
  private static List<Held<String>> held(String text) {
    return Stream.of(text.split(" ", -1))
        .map(each -> each.split("=", -1))
        .map(each -> new Held<>(Cidr.parse(each[1]), each[0]))
        .toList();
  }

  private static String shown(Overlap<String> overlap) {
    return overlap.held().holder()
        + "="
        + overlap.held().cidr()
        + ":"
        + overlap.other().holder()
        + "="
        + overlap.other().cidr()
        + (overlap.more() > 0 ? "+" + overlap.more() : "");
  }

  @DisplayName(
      "NC-AM32 are reported with the same one and with a wider or finer one of another holder")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a=10.0.0.0/24 b=10.0.1.0/24                               |
          a=10.0.0.0/24 b=10.0.0.0/24                               | a=10.0.0.0/24:b=10.0.0.0/24 b=10.0.0.0/24:a=10.0.0.0/24
          a=10.0.0.0/24 b=10.0.0.0/24 c=10.0.0.0/24                 | a=10.0.0.0/24:b=10.0.0.0/24+1 b=10.0.0.0/24:a=10.0.0.0/24+1 c=10.0.0.0/24:a=10.0.0.0/24+1
          a=10.0.0.0/24 a=10.0.0.0/24 a=10.0.0.0/25                 |
          a=10.0.0.0/25 b=10.0.0.0/24                               | b=10.0.0.0/24:a=10.0.0.0/25 a=10.0.0.0/25:b=10.0.0.0/24
          a=10.0.0.0/16 b=10.0.1.0/24 a=10.0.1.0/28                 | a=10.0.0.0/16:b=10.0.1.0/24 b=10.0.1.0/24:a=10.0.0.0/16 a=10.0.1.0/28:b=10.0.1.0/24
          b=10.0.0.0/8 a=10.0.0.0/16 a=10.0.1.0/24                  | b=10.0.0.0/8:a=10.0.0.0/16 a=10.0.0.0/16:b=10.0.0.0/8 a=10.0.1.0/24:b=10.0.0.0/8
          a=10.0.0.0/24 b=10.0.0.0/25 c=10.0.0.128/25 d=10.0.1.0/24 | a=10.0.0.0/24:b=10.0.0.0/25 b=10.0.0.0/25:a=10.0.0.0/24 c=10.0.0.128/25:a=10.0.0.0/24
          a=::/0 b=0.0.0.0/0 c=fd00::/64                            | a=::/0:c=fd00::/64 c=fd00::/64:a=::/0
          """)
  void overlaps(String given, String found) {
    assertThat(CidrOverlaps.of(held(given)).stream().map(CidrOverlapsTest::shown))
        .containsExactly(found == null ? new String[0] : found.split(" ", -1));
  }

  @Test
  @DisplayName("NC-AM32 are reported if and only if a look at all pairs finds an overlap")
  void likePairs() {
    for (long seed = 1; seed <= 300; seed++) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L);
      List<Held<Integer>> all = new ArrayList<>();
      int count = 1 + random.nextInt(30);
      for (int i = 0; i < count; i++) {
        Cidr cidr =
            Cidr.containing(
                IpAddress.parse("10.0.0." + random.nextInt(256)), 24 + random.nextInt(9));
        all.add(new Held<>(cidr, random.nextInt(6)));
      }
      Set<Held<Integer>> same = new HashSet<>();
      Set<Held<Integer>> nested = new HashSet<>();
      for (Overlap<Integer> each : CidrOverlaps.of(all)) {
        boolean equal = each.held().cidr().equals(each.other().cidr());
        assertThat((equal ? same : nested).add(each.held())).as("seed %d", seed).isTrue();
        assertThat(all).contains(each.held(), each.other());
        assertThat(each.held().holder()).isNotEqualTo(each.other().holder());
        assertThat(each.held().cidr().overlaps(each.other().cidr())).isTrue();
      }
      for (Held<Integer> each : all) {
        assertThat(same.contains(each))
            .as("seed %d: %s", seed, each)
            .isEqualTo(
                all.stream()
                    .anyMatch(
                        it -> !it.holder().equals(each.holder()) && it.cidr().equals(each.cidr())));
        assertThat(nested.contains(each))
            .as("seed %d: %s", seed, each)
            .isEqualTo(
                all.stream()
                    .anyMatch(
                        it ->
                            !it.holder().equals(each.holder())
                                && !it.cidr().equals(each.cidr())
                                && it.cidr().overlaps(each.cidr())));
      }
    }
  }

  @Test
  @DisplayName("NC-AM32 are as many as the CIDRs, also where all are the same")
  void allTheSame() {
    List<Held<Integer>> all =
        IntStream.range(0, 100_000)
            .mapToObj(i -> new Held<>(Cidr.parse("10.0.0.0/24"), i))
            .toList();
    assertThat(CidrOverlaps.of(all))
        .hasSize(100_000)
        .allSatisfy(each -> assertThat(each.more()).isEqualTo(99_998));
  }
}
