package io.tidemark.provider.azure.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallKind.Effect;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.SharedLimit;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The limits of Azure Resource Manager (provider-azure 13.2)")
class ArmCallLimitsTest {
  @Test
  @DisplayName("reads share one bucket, writes the other, a little below what is documented")
  void buckets() {
    CallPolicy policy = ArmCallLimits.of("azure/test", 1);
    assertThat(policy.shared())
        .containsExactly(
            new SharedLimit("ResourceManager.Reads", 25, 237, kinds(true)),
            new SharedLimit("ResourceManager.Writes", 10, 195, kinds(false)));
    assertThat(policy.limits()).hasSameSizeAs(ArmOperation.values());
  }

  private static Set<CallKind> kinds(boolean reads) {
    return Arrays.stream(ArmOperation.values())
        .map(ArmOperation::kind)
        .filter(kind -> (kind.effect() == Effect.READ) == reads)
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @CsvSource({"0.5, 12.5, 118", "0.001, 0.025, 1", "2, 50, 474"})
  @DisplayName("a share of ours is a share of all of them")
  void share(double share, double perSecond, int burst) {
    SharedLimit reads = ArmCallLimits.of("azure/test", share).shared().get(0);
    assertThat(reads.callsPerSecond()).isEqualTo(perSecond);
    assertThat(reads.burst()).isEqualTo(burst);
  }

  @Test
  @DisplayName("writes of interfaces fit into the network provider's 1,000 in five minutes")
  void networkWindow() {
    double most =
        Set.of(ArmOperation.INTERFACE_UPDATE, ArmOperation.PUBLIC_ADDRESS_UPDATE).stream()
            .mapToDouble(each -> each.burst() + 300 * each.perSecond())
            .sum();
    assertThat(most).isLessThanOrEqualTo(1_000);
  }
}
