package io.tidemark.nodecidr.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A map of CIDRs in their order")
class CidrMapTest {
  private static final Cidr RANGE = Cidr.parse("10.0.0.0/8");
  private static final int STEPS = 8_000;

  private final CidrMap<Integer> map = new CidrMap<>();
  private final TreeMap<Cidr, Integer> model = new TreeMap<>();

  private void agree(Cidr asked) {
    assertThat(map.size()).isEqualTo(model.size());
    assertThat(map.get(asked)).isEqualTo(model.get(asked));
    assertThat(map.ceiling(asked)).isEqualTo(model.ceilingKey(asked));
    assertThat(map.higher(asked)).isEqualTo(model.higherKey(asked));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  @DisplayName("It grows and shrinks, and answers as a tree does")
  void likeTree(int seed) {
    Random random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      Cidr cidr = RANGE.subnet(20 + random.nextInt(3), random.nextInt(1 << 10));
      boolean grows = step / 2_000 % 2 == 0;
      if (random.nextInt(8) < (grows ? 6 : 2)) {
        map.put(cidr, step);
        model.put(cidr, step);
      } else {
        map.remove(cidr);
        model.remove(cidr);
      }
      agree(RANGE.subnet(20 + random.nextInt(3), random.nextInt(1 << 10)));
    }
    while (!model.isEmpty()) {
      Cidr first = model.firstKey();
      model.remove(first);
      map.remove(first);
      agree(first);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("Keys may come in their order, or against it")
  void ordered(boolean ascending) {
    for (int i = 0; i < 1_000; i++) {
      Cidr cidr = RANGE.subnet(24, ascending ? i : 1_000 - i);
      map.put(cidr, i);
      model.put(cidr, i);
      agree(cidr);
    }
    model.keySet().forEach(this::agree);
  }
}
