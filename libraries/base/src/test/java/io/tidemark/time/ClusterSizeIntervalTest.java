package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterSizeIntervalTest {
  @DisplayName("node-manager 5.8: a minute grows with the logarithm of the cluster")
  @ParameterizedTest(name = "{0} nodes: {1} s")
  @CsvSource({
    "0, 60",
    "1, 41.589",
    "2, 65.917",
    "4, 96.566",
    "16, 169.993",
    "100, 276.907",
    "512, 374.417",
    "1024, 415.947",
    "16384, 582.247"
  })
  void minute(int nodes, double seconds) {
    Duration scaled = ClusterSizeInterval.scaled(Duration.ofMinutes(1), nodes);
    assertThat(scaled.toNanos() / 1e9).isCloseTo(seconds, within(0.0005));
  }
}
