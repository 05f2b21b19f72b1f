package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Of a mistyped name")
class NearestNamesTest {
  @ParameterizedTest(name = "{0} to {1} is {2}")
  @CsvSource({"worker-a,worker-a,0", "worker-a,worker-b,1", "wroker,worker,2", "'',abc,3"})
  @DisplayName("the distance is the number of changes")
  void distance(String left, String right, int changes) {
    assertThat(NearestNames.distance(left, right)).isEqualTo(changes);
  }

  @Test
  @DisplayName("the three nearest are told, nearest first")
  void nearest() {
    assertThat(NearestNames.of("worker-1", List.of("db-9", "worker-12", "worker-2", "workers-1")))
        .containsExactly("worker-12", "worker-2", "workers-1");
  }
}
