package io.tidemark.provider.azure.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Meters;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallKind.Effect;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.Priority;
import io.tidemark.resilience.SharedLimit;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
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

  /** A provider that lets so many reads of an interface through in each second. */
  private static final class Provider {
    private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
    private final StandardCloudCallsFactory factory =
        new StandardCloudCallsFactory(
            CloudCallsConfig.defaults(),
            time,
            time.effects(EffectModel.reliable(Duration.ZERO, Duration.ZERO)),
            new Random(1),
            Meters.none(),
            LearnedRates.NONE,
            Fence.OPEN);
    private final CloudCalls calls = factory.create(ArmCallLimits.of("azure/test", 1));
    private int most = Integer.MAX_VALUE;
    private long second;
    private int given;
    private int refused;

    private String read(CloudCalls.Attempt attempt) throws ArmFailure {
      long now = Duration.ofNanos(time.nanos()).toSeconds();
      given = now == second ? given : 0;
      second = now;
      if (given >= most) {
        refused++;
        throw ArmFailures.refused(429, "TooManyRequests", "x");
      }
      given++;
      return "read";
    }

    /** Twenty reads a second are wanted. */
    void run(Duration span) {
      for (long i = 0; i < span.toMillis() / 50; i++) {
        CallContext context =
            CallContext.within(
                Duration.ofSeconds(10), time, "", Priority.Rank.REPAIR, new Cancellation());
        calls.call(ArmOperation.INTERFACE_GET.kind(), context, this::read);
        time.runUntil(time.nanos() + Duration.ofMillis(50).toNanos());
      }
    }

    double rate(ArmOperation operation) {
      return factory
          .learnedRates()
          .of("azure/test", operation.kind().name())
          .orElseThrow()
          .callsPerSecond();
    }
  }

  @Test
  @DisplayName("AZ-N28 a provider's throttles without a pause cut that kind's rate; it recovers")
  void providerThrottles() {
    Provider provider = new Provider();
    provider.run(Duration.ofSeconds(30));
    assertThat(provider.rate(ArmOperation.INTERFACE_GET)).isEqualTo(25);
    provider.most = 5;
    provider.run(Duration.ofSeconds(30));
    assertThat(provider.rate(ArmOperation.INTERFACE_GET)).isBetween(3.0, 8.0);
    provider.refused = 0;
    provider.run(Duration.ofSeconds(60));
    assertThat(provider.refused).as("of 300 that may be read").isLessThan(100);
    assertThat(provider.rate(ArmOperation.SUBNET_GET)).as("another kind").isEqualTo(25);
    provider.most = Integer.MAX_VALUE;
    provider.run(Duration.ofMinutes(2));
    assertThat(provider.rate(ArmOperation.INTERFACE_GET)).isGreaterThan(20);
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
