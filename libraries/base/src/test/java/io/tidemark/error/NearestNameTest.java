package io.tidemark.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
  @DisplayName("Distance counts letters inserted, deleted, replaced or swapped with a neighbour")
  @ParameterizedTest(name = "{0} to {1}: {2}")
  @CsvSource({
    "'', '', 0",
    "abc, abc, 0",
    "'', abc, 3",
    "abc, '', 3",
    "abc, abd, 1",
    "abc, acb, 1",
    "abc, ac, 1",
    "abc, xabc, 1",
    "kitten, sitting, 3",
    "dealy, delay, 1"
  })
  void distance(String a, String b, int expected) {
    assertThat(NearestName.distance(a, b)).isEqualTo(expected);
    assertThat(NearestName.distance(b, a)).isEqualTo(expected);
  }

  @Test
  @DisplayName("Nothing is guessed when nothing is near; of two as near the first by name")
  void guess() {
    List<String> keys = List.of("zz-cap", "cluster-name", "backoff-cap", "backoff-cat");
    assertThat(NearestName.of("backoff-car", keys)).hasValue("backoff-cap");
    assertThat(NearestName.of("colour", keys)).isEmpty();
    assertThat(NearestName.of("", keys)).isEmpty();
  }

  @Test
  @DisplayName("All candidates come in order, the nearest first, as near ones by name")
  void sorted() {
    List<String> names = List.of("db-9", "worker-12", "workers-1", "worker-2");
    assertThat(NearestName.sorted("worker-1", names))
        .containsExactly("worker-12", "worker-2", "workers-1", "db-9");
  }
}
