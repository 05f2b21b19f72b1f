package io.tidemark.provider.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.http.InProcessClient;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.metrics.Metric;
import io.tidemark.metrics.TestMeters;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.Priority;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("How fast EC2 is asked (provider-aws 8, 10.8)")
class Ec2PacingTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final VirtualTime time = new VirtualTime(Emulated.START_MILLIS);
  private final TestMeters measured = new TestMeters();

  private Duration waited(Ec2Operation operation) {
    return measured.time(Metric.API_RATE_LIMIT_DURATION, operation.kind().name());
  }

  private CloudCalls calls(CloudCallsConfig config) {
    return new StandardCloudCallsFactory(
            config,
            time,
            time.effects(EffectModel.reliable(Duration.ZERO, Duration.ZERO)),
            new Random(1),
            measured.meters,
            LearnedRates.NONE,
            Fence.OPEN)
        .create(Ec2CallLimits.of(Emulated.ACCOUNT, "us-east-1", 1));
  }

  private CallContext context(Duration limit) {
    return CallContext.of(
        "node",
        Priority.of(Priority.Rank.BELOW_WATERMARK),
        time.nanos() + limit.toNanos(),
        new Cancellation());
  }

  private static <T> boolean ended(CompletionStage<T> stage) {
    return stage.toCompletableFuture().isDone();
  }

  @Test
  @DisplayName("AWS-61 one a second, ten at once: ten go free, the eleventh waits and that is told")
  void burst() {
    CloudCalls calls = calls(CloudCallsConfig.defaults().withCeiling(1, 10));
    List<CompletionStage<CallResult<String>>> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(calls.call(Ec2Operation.DESCRIBE_SUBNETS.kind(), context(MINUTE), at -> "done"));
    }
    time.runUntil(time.nanos() + 1_000_000);
    assertThat(all).allMatch(Ec2PacingTest::ended);
    assertThat(waited(Ec2Operation.DESCRIBE_SUBNETS)).isZero();
    CompletionStage<CallResult<String>> eleventh =
        calls.call(
            Ec2Operation.DESCRIBE_VPCS.kind(), context(Duration.ofSeconds(30)), at -> "done");
    time.runUntil(time.nanos() + Duration.ofMillis(900).toNanos());
    assertThat(ended(eleventh)).isFalse();
    time.runUntil(time.nanos() + Duration.ofMillis(200).toNanos());
    assertThat(ended(eleventh)).isTrue();
    assertThat(waited(Ec2Operation.DESCRIBE_VPCS))
        .isBetween(Duration.ofMillis(900), Duration.ofMillis(1100));
  }

  @Test
  @DisplayName("AWS-61 one whose time ends while it waits: the wait is told, no token is lost")
  void expires() {
    CloudCalls calls = calls(CloudCallsConfig.defaults().withCeiling(0.05, 1));
    calls.call(Ec2Operation.DESCRIBE_SUBNETS.kind(), context(MINUTE), at -> "done");
    Cancellation cancellation = new Cancellation();
    CompletionStage<CallResult<String>> second =
        calls.call(
            Ec2Operation.DESCRIBE_SUBNETS.kind(),
            CallContext.of(
                "node",
                Priority.of(Priority.Rank.BELOW_WATERMARK),
                time.nanos() + Duration.ofSeconds(12).toNanos(),
                cancellation),
            at -> "done");
    time.runUntil(time.nanos() + Duration.ofSeconds(13).toNanos());
    assertThat(ended(second)).isTrue();
    assertThat(second.toCompletableFuture().getNow(null).match(done -> "", Object::toString))
        .contains("THROTTLED");
    assertThat(waited(Ec2Operation.DESCRIBE_SUBNETS)).isPositive();
    CompletionStage<CallResult<String>> third =
        calls.call(Ec2Operation.DESCRIBE_SUBNETS.kind(), context(MINUTE), at -> "done");
    time.runUntil(time.nanos() + Duration.ofSeconds(8).toNanos());
    assertThat(ended(third)).as("the token of the second is there for the third").isTrue();
  }

  @Test
  @DisplayName("AWS-62 a hundred a second, one at once: sixteen take 150 ms, at most twice that")
  void steady() {
    CloudCalls calls = calls(CloudCallsConfig.defaults().withCeiling(100, 1));
    long began = time.nanos();
    List<CompletionStage<CallResult<String>>> all = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      all.add(calls.call(Ec2Operation.DESCRIBE_SUBNETS.kind(), context(MINUTE), at -> "done"));
    }
    while (!all.stream().allMatch(Ec2PacingTest::ended)) {
      time.runUntil(time.nanos() + 1_000_000);
    }
    Duration took = Duration.ofNanos(time.nanos() - began);
    assertThat(took).isBetween(Duration.ofMillis(149), Duration.ofMillis(300));
    assertThat(waited(Ec2Operation.DESCRIBE_SUBNETS))
        .as("15 wait, half as long as the last on average")
        .isBetween(took.multipliedBy(15).dividedBy(4), took.multipliedBy(15));
  }

  @Test
  @DisplayName("AWS-63 the emulated EC2 answers one operation after a second, others at once")
  void delays() throws Ec2Failure {
    Ec2ModelOptions options = Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled());
    Ec2Emulator emulator =
        Ec2Emulator.in(
            time, options.withLatency("DescribeVpcs", DelayRange.fixed(Duration.ofSeconds(1))));
    List<Duration> latencies = new ArrayList<>();
    Ec2Api api =
        EmulatedDoors.sdk(
            InProcessClient.observed(
                emulator.handler(), response -> latencies.add(response.latency())));
    api.describeVpcs(Set.of("vpc-1"), Optional.empty());
    api.describeSubnets(new SubnetFilter(Set.of(), Set.of(), Map.of()), Optional.empty());
    assertThat(latencies).containsExactly(Duration.ofSeconds(1), Duration.ZERO);
  }

  @Test
  @DisplayName("AWS-89 an operation that EC2 throttles slows no other")
  void apart() {
    CloudCalls calls = calls(CloudCallsConfig.defaults());
    for (int i = 0; i < 30; i++) {
      calls.call(
          Ec2Operation.CREATE_NETWORK_INTERFACE.kind(),
          context(Duration.ofSeconds(60)),
          at -> {
            throw Ec2Failure.refused("RequestLimitExceeded", "Request limit exceeded.", 503, "");
          });
    }
    time.runUntil(time.nanos() + Duration.ofSeconds(5).toNanos());
    List<CompletionStage<CallResult<String>>> assigns = new ArrayList<>();
    long began = time.nanos();
    for (int i = 0; i < 100; i++) {
      assigns.add(
          calls.call(
              Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES.kind(), context(MINUTE), at -> "done"));
    }
    time.runUntil(began + 10_000_000);
    assertThat(assigns).as("the whole burst of Assign goes at once").allMatch(Ec2PacingTest::ended);
    CompletionStage<CallResult<String>> create =
        calls.call(Ec2Operation.CREATE_NETWORK_INTERFACE.kind(), context(MINUTE), at -> "done");
    time.runUntil(time.nanos() + 10_000_000);
    assertThat(ended(create)).as("Create waits, for it is what was throttled").isFalse();
  }
}
