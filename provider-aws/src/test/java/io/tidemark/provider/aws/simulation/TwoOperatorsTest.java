package io.tidemark.provider.aws.simulation;

import io.tidemark.simulation.TwoOperators;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("any-jdk")
@DisplayName("Two operators at once on the AWS provider (M18)")
class TwoOperatorsTest {
  static final int MANY = 100;
  private static final int FEW = 10;

  @ParameterizedTest(name = "first-interface-index {0}, release {1}")
  @CsvSource({"0, false", "0, true", "1, false", "1, true"})
  @DisplayName("make no interface too many, and at most one batch of addresses for each node")
  void extras(int firstInterfaceIndex, boolean release) {
    extras(FEW, firstInterfaceIndex, release);
  }

  @Tag("long")
  @ParameterizedTest(name = "first-interface-index {0}, release {1}")
  @CsvSource({"0, false", "0, true", "1, false", "1, true"})
  @DisplayName("on a hundred nodes make no more than that either")
  void extrasOfMany(int firstInterfaceIndex, boolean release) {
    extras(MANY, firstInterfaceIndex, release);
  }

  private static void extras(int nodes, int firstInterfaceIndex, boolean release) {
    cluster(nodes, firstInterfaceIndex, release).check();
  }

  static TwoOperators cluster(int nodes, int firstInterfaceIndex, boolean release) {
    return new TwoOperators(
        nodes,
        firstInterfaceIndex,
        release,
        Duration.ofMinutes(40),
        each -> each.on(AwsSimulatedCloud.with(CloudSetup.PLAIN)));
  }
}
