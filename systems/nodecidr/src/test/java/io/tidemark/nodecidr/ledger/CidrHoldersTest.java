package io.tidemark.nodecidr.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("CIDRs and their holders")
class CidrHoldersTest {
  private static final int SEEDS = 50;

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.0", "2001:db8::"})
  @DisplayName("What overlaps a CIDR is found as by a search through all of them")
  void likeSearch(String base) {
    IpAddress address = IpAddress.parse(base);
    int bits = address.family().bits();
    for (long seed = 1; seed <= SEEDS; seed++) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L);
      CidrHolders<String> holders = new CidrHolders<>();
      Map<Cidr, List<String>> model = new TreeMap<>();
      for (int step = 0; step < 200; step++) {
        Cidr cidr = Cidr.containing(address.plus(random.nextInt(256)), bits - random.nextInt(10));
        String holder = "uid-" + random.nextInt(3);
        List<String> known = model.computeIfAbsent(cidr, key -> new ArrayList<>());
        if (random.nextInt(3) > 0) {
          assertThat(holders.add(cidr, holder)).isEqualTo(!known.contains(holder));
          if (!known.contains(holder)) {
            known.add(holder);
          }
        } else {
          assertThat(holders.remove(cidr, holder)).isEqualTo(known.remove(holder));
        }
        model.values().removeIf(List::isEmpty);
        Cidr asked = Cidr.containing(address.plus(random.nextInt(256)), bits - random.nextInt(10));
        Map<Cidr, List<String>> expected = new TreeMap<>(model);
        expected.keySet().removeIf(each -> !each.overlaps(asked));
        Map<Cidr, List<String>> found = new TreeMap<>();
        holders.forEachOverlapping(
            asked, (each, by) -> assertThat(found.put(each, by)).as("found once").isNull());
        assertThat(found).as("seed %d, step %d, %s", seed, step, asked).isEqualTo(expected);
        assertThat(holders.size()).isEqualTo(model.size());
      }
    }
  }
}
