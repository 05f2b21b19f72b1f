package io.tidemark.provider.azure.simulation;

import io.tidemark.simulation.TwoOperators;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
@DisplayName("Two operators at once on the Azure provider")
class TwoOperatorsTest {
  private static final int FEW = 10;
  private static final int MANY = 60;

  @ParameterizedTest(name = "release {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("AZ-N45 the etag makes one lose: at most one batch of addresses more for each node")
  void extras(boolean release) {
    extras(FEW, release);
  }

  @Tag("long")
  @ParameterizedTest(name = "release {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("AZ-N45 on sixty nodes, too")
  void extrasOfMany(boolean release) {
    extras(MANY, release);
  }

  private static void extras(int nodes, boolean release) {
    new TwoOperators(
            nodes,
            0,
            release,
            Duration.ofMinutes(60),
            each -> each.on(AzureClouds.of(CloudSetup.PLAIN)))
        .check();
  }
}
