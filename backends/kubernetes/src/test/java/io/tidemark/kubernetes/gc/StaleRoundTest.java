package io.tidemark.kubernetes.gc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A round of nodes-gc-interval")
class StaleRoundTest {
  private static Set<String> names(int count) {
    Set<String> names = new TreeSet<>();
    IntStream.range(0, count).forEach(i -> names.add("n%04d".formatted(i)));
    return names;
  }

  @ParameterizedTest(name = "{0} stale of {1}: {2} deleted, {3} left")
  @CsvSource({
    "0, 0, 0, 0",
    "1, 1, 1, 0",
    "2, 2, 1, 1",
    "2, 19, 1, 1",
    "2, 20, 2, 0",
    "60, 80, 8, 52",
    "900, 5000, 100, 800"
  })
  @DisplayName("deletes a tenth of the objects at most, one at least")
  void share(int stale, int objects, int deleted, int left) {
    StaleRound round = StaleRound.of(names(stale), names(stale), objects);
    assertThat(round.due()).hasSize(deleted);
    assertThat(round.waiting()).isEqualTo(left);
    assertThat(round.tooMany().isPresent()).isEqualTo(left > 0);
  }

  @Test
  @DisplayName("deletes what the round before found, too, and says what is left")
  void twice() {
    StaleRound first = StaleRound.of(Set.of(), Set.of("a"), 20);
    assertThat(first.due()).isEmpty();
    StaleRound later = StaleRound.of(Set.of("a", "b", "c"), Set.of("a", "c", "d"), 10);
    assertThat(later.due()).containsExactly("a");
    assertThat(later.tooMany())
        .contains(
            "2 of 10 CiliumNodes have no Kubernetes Node; 1 are deleted now, the others in later"
                + " rounds");
  }
}
