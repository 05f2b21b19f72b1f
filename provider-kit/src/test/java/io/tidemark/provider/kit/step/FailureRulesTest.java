package io.tidemark.provider.kit.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.PoolId;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("How a failed request ends an attempt to add addresses (node-manager 3.10)")
class FailureRulesTest {
  private static final PoolId POOL = new PoolId("subnet-1");
  private static final FailureRules RULES = new FailureRules(Set.of("subnetFull"));

  private static AllocationOutcome outcome(Failure.Kind kind, String condition) {
    return RULES.outcome(Failure.of(kind, condition, "detail"), POOL);
  }

  @Test
  @DisplayName("no room in the pool, and no room elsewhere, are two answers")
  void capacity() {
    assertThat(outcome(Failure.Kind.CAPACITY, "subnetFull"))
        .isEqualTo(new AllocationOutcome.PoolExhausted(POOL));
    assertThat(outcome(Failure.Kind.CAPACITY, "interfaceFull"))
        .isEqualTo(new AllocationOutcome.LimitReached("interfaceFull"));
  }

  @Test
  @DisplayName("a lost answer is unknown, a stopped instance is no failure")
  void lostAndStopped() {
    assertThat(outcome(Failure.Kind.LOST, "timeout")).isInstanceOf(AllocationOutcome.Unknown.class);
    assertThat(outcome(Failure.Kind.NOT_RUNNING, "stopped"))
        .isInstanceOf(AllocationOutcome.InstanceNotRunning.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = Failure.Kind.class,
      names = {"THROTTLED", "TRANSIENT", "CONFLICT", "NOT_FOUND", "CONFIGURATION", "CANCELLED"})
  @DisplayName("everything else changed nothing and is refused with its failure")
  void refused(Failure.Kind kind) {
    Failure failure = Failure.of(kind, "condition", "detail");
    assertThat(RULES.outcome(failure, POOL)).isEqualTo(new AllocationOutcome.Refused(failure));
  }
}
