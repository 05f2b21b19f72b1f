package io.tidemark.agent.multipool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("How many addresses a pool shall have")
class DemandRuleTest {
  @ParameterizedTest(name = "{0} used, {1} at hand: {2}")
  @CsvSource({
    "0, 0, 0",
    "1, 0, 1",
    "3, 0, 3",
    "0, 1, 1",
    "1, 1, 2",
    "3, 1, 4",
    "0, 16, 16",
    "1, 16, 32",
    "15, 16, 32",
    "16, 16, 32",
    "17, 16, 48",
    "2147483647, 16, 2147483647",
  })
  @DisplayName("A52 In steps, it is the next multiple that leaves at least one step's part free")
  void steps(int used, int preAllocation, int wanted) {
    assertThat(DemandRule.STEPS.wanted(used, preAllocation)).isEqualTo(wanted);
  }

  @ParameterizedTest(name = "{0} used, {1} at hand: {2}")
  @CsvSource({"0, 0, 0", "3, 0, 3", "0, 8, 8", "5, 8, 13", "2147483647, 8, 2147483647"})
  @DisplayName("A52 Linearly, the pre-allocation is free")
  void linear(int used, int preAllocation, int wanted) {
    assertThat(DemandRule.LINEAR.wanted(used, preAllocation)).isEqualTo(wanted);
  }
}
