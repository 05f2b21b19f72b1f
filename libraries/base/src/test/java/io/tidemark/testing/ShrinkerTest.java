package io.tidemark.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A failing list")
class ShrinkerTest {
  private static final List<Integer> HUNDRED = IntStream.range(0, 100).boxed().toList();

  @Test
  @DisplayName("is reduced to the items that it takes to fail, in their order")
  void reduced() {
    List<Integer> needed = List.of(3, 50, 51, 97);
    assertThat(Shrinker.shortest(HUNDRED, list -> list.containsAll(needed), 1_000))
        .isEqualTo(needed);
  }

  @Test
  @DisplayName("is reduced to nothing when nothing fails too")
  void nothing() {
    assertThat(Shrinker.shortest(HUNDRED, list -> true, 1_000)).isEmpty();
  }

  @Test
  @DisplayName("loses an item that was needed only with another one")
  void again() {
    assertThat(
            Shrinker.shortest(List.of(1, 2, 3), list -> !list.contains(3) || list.contains(1), 9))
        .isEmpty();
  }

  @Test
  @DisplayName("is tried so many times at most, and still fails then")
  void bounded() {
    AtomicInteger tries = new AtomicInteger();
    List<Integer> left =
        Shrinker.shortest(
            HUNDRED,
            list -> {
              tries.incrementAndGet();
              return list.contains(99) && list.size() % 2 == 0;
            },
            10);
    assertThat(tries).hasValue(10);
    assertThat(left).contains(99).hasSizeLessThan(100);
  }
}
