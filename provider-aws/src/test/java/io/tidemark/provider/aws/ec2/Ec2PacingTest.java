package io.tidemark.provider.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric;
import io.tidemark.metrics.TestMeters;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("How fast EC2 is asked (provider-aws 8, 10.8)")
class Ec2PacingTest {
  private final VirtualTime time = new VirtualTime(Emulated.START_MILLIS);
  private final TestMeters measured = new TestMeters();

  private CloudCalls calls(CloudCallsConfig config) {
    return EmulatedDoors.calls(
        config,
        time,
        EffectModel.reliable(Duration.ZERO, Duration.ZERO),
        new Random(1),
        measured.meters,
        Ec2CallLimits.of(Emulated.ACCOUNT, "us-east-1", 1));
  }

  private CompletableFuture<CallResult<String>> call(
      CloudCalls calls, Ec2Operation operation, Duration limit, CloudCalls.Leaf<String> leaf) {
    CallContext context =
        CallContext.within(limit, time, "node", Priority.Rank.BELOW_WATERMARK, new Cancellation());
    return calls.call(operation.kind(), context, leaf).toCompletableFuture();
  }

  private void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  private Duration waited(Ec2Operation operation) {
    return measured.time(Metric.API_RATE_LIMIT_DURATION, operation.kind().name());
  }

  @Test
  @DisplayName(
      "AWS-61 AWS-62 one a second, ten at once: waits are measured, those that time out too")
  void burst() {
    CloudCalls calls = calls(CloudCallsConfig.defaults().withCeiling(1, 10));
    Duration minute = Duration.ofMinutes(1);
    var ten =
        IntStream.range(0, 10)
            .mapToObj(i -> call(calls, Ec2Operation.DESCRIBE_SUBNETS, minute, at -> "done"))
            .toList();
    pass(Duration.ofMillis(1));
    assertThat(ten).allMatch(CompletableFuture::isDone);
    assertThat(waited(Ec2Operation.DESCRIBE_SUBNETS)).isZero();
    var eleventh = call(calls, Ec2Operation.DESCRIBE_VPCS, Duration.ofSeconds(30), at -> "done");
    var late = call(calls, Ec2Operation.DESCRIBE_TAGS, Duration.ofMillis(1500), at -> "done");
    pass(Duration.ofMillis(900));
    assertThat(eleventh).isNotDone();
    pass(Duration.ofMillis(200));
    assertThat(eleventh).isDone();
    assertThat(waited(Ec2Operation.DESCRIBE_VPCS))
        .isBetween(Duration.ofMillis(900), Duration.ofMillis(1100));
    pass(Duration.ofMillis(500));
    assertThat(late.getNow(null).refusal().map(Failure::kind)).contains(Failure.Kind.THROTTLED);
    assertThat(waited(Ec2Operation.DESCRIBE_TAGS)).isPositive();
    var third = call(calls, Ec2Operation.DESCRIBE_TAGS, minute, at -> "done");
    pass(Duration.ofMillis(500));
    assertThat(third).as("the token of the call that timed out is free").isDone();
  }

  @Test
  @DisplayName("AWS-89 an operation that EC2 throttles slows no other")
  void apart() {
    CloudCalls calls = calls(CloudCallsConfig.defaults());
    for (int i = 0; i < 30; i++) {
      call(
          calls,
          Ec2Operation.CREATE_NETWORK_INTERFACE,
          Duration.ofMinutes(1),
          at -> {
            throw Ec2Failure.refused("RequestLimitExceeded", "Request limit exceeded.", 503, "");
          });
    }
    pass(Duration.ofSeconds(5));
    Duration minute = Duration.ofMinutes(1);
    var assigns =
        IntStream.range(0, 100)
            .mapToObj(
                i -> call(calls, Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES, minute, at -> "done"))
            .toList();
    pass(Duration.ofMillis(10));
    assertThat(assigns).as("the whole burst of Assign").allMatch(CompletableFuture::isDone);
    var create = call(calls, Ec2Operation.CREATE_NETWORK_INTERFACE, minute, at -> "done");
    pass(Duration.ofMillis(10));
    assertThat(create).as("Create waits, for it is what was throttled").isNotDone();
  }
}
