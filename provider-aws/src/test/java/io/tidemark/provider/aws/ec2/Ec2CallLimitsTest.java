package io.tidemark.provider.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What CloudCalls is told about EC2")
class Ec2CallLimitsTest {
  @DisplayName("Each operation has the documented bucket, times our share (M1)")
  @ParameterizedTest(name = "{0} x {1}: {2} at once, {3} a second")
  @CsvSource({
    "DESCRIBE_NETWORK_INTERFACES, 1, 100, 20",
    "CREATE_NETWORK_INTERFACE, 1, 100, 5",
    "ATTACH_NETWORK_INTERFACE, 1, 50, 5",
    "CREATE_TAGS, 1, 100, 10",
    "CREATE_NETWORK_INTERFACE, 0.5, 50, 2.5",
    "ATTACH_NETWORK_INTERFACE, 0.01, 1, 0.05",
    "ASSIGN_PRIVATE_IP_ADDRESSES, 2, 200, 10"
  })
  void buckets(Ec2Operation operation, double share, int burst, double perSecond) {
    CallPolicy policy = Ec2CallLimits.of("111111111111", "eu-central-1", share);
    CallLimits limits = Objects.requireNonNull(policy.limits().get(operation.kind()));
    assertThat(limits.burst()).isEqualTo(burst);
    assertThat(limits.callsPerSecond()).isEqualTo(perSecond);
  }

  @Test
  @DisplayName("Every operation is known, an attempt takes 10 s at most (M14)")
  void all() {
    CallPolicy policy = Ec2CallLimits.of("111111111111", "eu-central-1", 1);
    assertThat(policy.account()).isEqualTo("111111111111/eu-central-1");
    for (Ec2Operation operation : Ec2Operation.values()) {
      assertThat(policy.limits()).containsKey(operation.kind());
    }
    assertThat(policy.limits()).hasSameSizeAs(Ec2Operation.values());
    assertThat(policy.limits().values())
        .extracting(CallLimits::attemptTimeout)
        .containsOnly(Duration.ofSeconds(10));
  }

  @Test
  @DisplayName("7.2 of an account of networks, creating is held to the bucket of the permission")
  void networks() {
    CallPolicy policy = Ec2CallLimits.ofNetworks("222222222222", "eu-central-1", 1);
    assertThat(policy.account()).isEqualTo("222222222222/eu-central-1");
    assertThat(
            Objects.requireNonNull(
                    policy.limits().get(Ec2Operation.CREATE_NETWORK_INTERFACE.kind()))
                .burst())
        .isEqualTo(50);
    assertThat(policy.limits()).hasSameSizeAs(Ec2Operation.values());
  }

  @DisplayName("Bad credentials open the account's breaker, a denied operation does not (M10)")
  @ParameterizedTest(name = "{0} {1}: opens {2}")
  @CsvSource({"401, AuthFailure, true", "403, UnauthorizedOperation, false"})
  void breaker(int status, String code, boolean opens) {
    VirtualTime time = new VirtualTime(0);
    CloudCalls calls =
        EmulatedDoors.calls(
            time, Duration.ZERO, Ec2CallLimits.of("111111111111", "eu-central-1", 1));
    AtomicInteger sent = new AtomicInteger();
    CallKind denied = Ec2Operation.CREATE_NETWORK_INTERFACE.kind();
    for (int i = 0; i < 40; i++) {
      calls.call(
          denied,
          context(time),
          attempt -> {
            sent.incrementAndGet();
            throw Ec2Failure.refused(code, "access credentials", status, "");
          });
      time.runUntilIdle(Long.MAX_VALUE);
    }
    List<String> other = new ArrayList<>();
    calls
        .call(Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES.kind(), context(time), attempt -> "sent")
        .thenAccept(result -> other.add(result.match(answer -> answer, Failure::condition)));
    time.runUntilIdle(time.nanos() + 1_000_000);
    if (opens) {
      assertThat(sent.get()).isBetween(1, 39);
      assertThat(other).containsExactly("circuitOpen");
    } else {
      assertThat(sent.get()).isEqualTo(40);
      assertThat(other).containsExactly("sent");
    }
  }

  private static CallContext context(VirtualTime time) {
    return CallContext.of(
        "node",
        Priority.of(Priority.Rank.REPAIR),
        time.nanos() + Duration.ofSeconds(60).toNanos(),
        new Cancellation());
  }
}
