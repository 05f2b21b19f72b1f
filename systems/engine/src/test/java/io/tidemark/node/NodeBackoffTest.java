package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.testing.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("What keeps a node from trying now (node-manager 3.1, 3.6, 13 D-14)")
class NodeBackoffTest {
  private static final Failure TRANSIENT = Failure.of(Failure.Kind.TRANSIENT, "down", "no answer");
  private static final Failure REFUSED =
      Failure.of(Failure.Kind.CONFIGURATION, "denied", "not allowed");
  private static final Duration ALMOST = Duration.ofNanos(1);

  private final BareEnvironment bare = new BareEnvironment();
  private final NodeEnvironment environment = bare.of(EngineConfig.defaults());
  private final NodeBackoff trouble = new NodeBackoff(environment);

  private Optional<BlockedReason> reason() {
    return trouble.blocked().map(Blocked::reason);
  }

  private OptionalLong in(Duration duration) {
    return OptionalLong.of(environment.now() + duration.toNanos());
  }

  @Test
  @DisplayName("nothing has failed: nothing is waited for")
  void none() {
    assertThat(trouble.blocked()).isEmpty();
    assertThat(trouble.nextWakeUp()).isEmpty();
    assertThat(trouble.willRetry()).isFalse();
  }

  @Test
  @DisplayName("a failure is repeated after a pause that grows with each, and begins anew")
  void backsOff() {
    for (int seconds : new int[] {2, 4, 8}) {
      trouble.failed("node1", TRANSIENT);
      assertThat(trouble.nextWakeUp()).isEqualTo(in(Duration.ofSeconds(seconds)));
      assertThat(trouble.blocked())
          .contains(new Blocked(BlockedReason.BACKING_OFF, TRANSIENT.toText()));
      assertThat(trouble.willRetry()).isTrue();
      bare.pass(Duration.ofSeconds(seconds).minus(ALMOST));
      assertThat(reason()).contains(BlockedReason.BACKING_OFF);
      assertThat(trouble.willRetry()).isTrue();
      bare.pass(ALMOST);
      assertThat(trouble.blocked()).isEmpty();
      assertThat(trouble.willRetry()).isFalse();
      assertThat(trouble.nextWakeUp()).isEmpty();
    }
    trouble.succeeded();
    trouble.failed("node1", TRANSIENT);
    assertThat(trouble.nextWakeUp()).isEqualTo(in(Duration.ofSeconds(2)));
    trouble.succeeded();
    assertThat(trouble.blocked()).isEmpty();
    assertThat(trouble.nextWakeUp()).isEmpty();
  }

  @Test
  @DisplayName("what a person must mend waits longest and is no retry that is to come")
  void refused() {
    trouble.failed("node1", REFUSED);
    assertThat(trouble.blocked())
        .contains(new Blocked(BlockedReason.CLOUD_REFUSED, REFUSED.toText()));
    assertThat(trouble.nextWakeUp()).isEqualTo(in(Duration.ofMinutes(5)));
    assertThat(trouble.willRetry()).isFalse();
  }

  @DisplayName("the pause that the cloud asks for counts where it is the longer one")
  @ParameterizedTest(name = "asked for {0} s -> {1} s")
  @CsvSource({"1, 2", "2, 2", "7, 7"})
  void retryAfter(int asked, int pause) {
    trouble.failed(
        "node1",
        new Failure(
            Failure.Kind.THROTTLED, "slow", "down", Optional.of(Duration.ofSeconds(asked))));
    assertThat(trouble.nextWakeUp()).isEqualTo(in(Duration.ofSeconds(pause)));
  }

  @Test
  @DisplayName("the fourth answer in a row that there is no room is a failure, and only that")
  void noRoom() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 3; i++) {
        trouble.noRoom("node1", "subnet-1");
        assertThat(trouble.blocked()).isEmpty();
      }
      trouble.noRoom("node1", "subnet-1");
      assertThat(trouble.blocked().orElseThrow().detail()).endsWith("noRoom: subnet-1");
      bare.pass(Duration.ofMinutes(5));
    }
    trouble.noRoom("node1", "subnet-1");
    trouble.noRoom("node1", "subnet-1");
    trouble.noRoom("node1", "subnet-1");
    trouble.succeeded();
    trouble.noRoom("node1", "subnet-1");
    assertThat(trouble.blocked()).as("a success in between").isEmpty();
  }

  @Test
  @DisplayName("a stopped instance has its grace, which a sign of life ends")
  void notRunning() {
    trouble.notRunning();
    assertThat(reason()).contains(BlockedReason.INSTANCE_NOT_RUNNING);
    assertThat(trouble.nextWakeUp()).isEqualTo(in(Duration.ofMinutes(1)));
    assertThat(trouble.willRetry()).isFalse();
    bare.pass(Duration.ofMinutes(1).minus(ALMOST));
    assertThat(reason()).contains(BlockedReason.INSTANCE_NOT_RUNNING);
    bare.pass(ALMOST);
    assertThat(trouble.blocked()).isEmpty();
    assertThat(trouble.nextWakeUp()).isEmpty();
    trouble.notRunning();
    trouble.signOfLife();
    assertThat(trouble.blocked()).isEmpty();
    trouble.notRunning();
    trouble.succeeded();
    assertThat(trouble.blocked()).isEmpty();
  }

  @Test
  @DisplayName("while the instance is stopped a failure from before is not ours to repeat")
  void stoppedAfterFailure() {
    trouble.failed("node1", TRANSIENT);
    trouble.notRunning();
    assertThat(reason()).contains(BlockedReason.INSTANCE_NOT_RUNNING);
    assertThat(trouble.willRetry()).isFalse();
  }

  @DisplayName("people are told once an hour what they can mend, or that a node is full")
  @ParameterizedTest
  @EnumSource(names = {"OUT_OF_INTERFACES", "NO_SUBNET", "SUBNET_EXHAUSTED"})
  void report(BlockedReason reason) {
    bare.pass(Duration.ofHours(2));
    try (LogLines log = new LogLines(NodeBackoff.class)) {
      trouble.report("node1", new Blocked(BlockedReason.BACKING_OFF, "passes"));
      assertThat(log.warnings()).isEmpty();
      Blocked blocked = new Blocked(reason, "the detail");
      trouble.report("node1", blocked);
      bare.pass(Duration.ofHours(1).minus(ALMOST));
      trouble.report("node1", blocked);
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains("node1", reason.label(), "the detail", reason.remedy());
      bare.pass(ALMOST);
      trouble.report("node1", blocked);
      assertThat(log.warnings()).hasSize(2);
    }
  }

  @Test
  @DisplayName("the first failure in a row is told at warning, those that follow are not")
  void told() {
    try (LogLines log = new LogLines(NodeBackoff.class)) {
      trouble.failed("node1", TRANSIENT);
      assertThat(log.warnings()).hasSize(1);
      trouble.failed("node1", TRANSIENT);
      assertThat(log.warnings()).singleElement().asString().contains("node1", TRANSIENT.toText());
    }
  }

  @Test
  @DisplayName("one thing's failure is not another's, and the earliest wake-up of all counts")
  void apart() {
    NodeBackoff.Group troubles = NodeBackoff.Group.of(environment);
    NodeStatistics missing = new NodeStatistics(0, 0, 8, 8, 0, 1, 1, 0);
    assertThat(troubles.of(new MaintenancePlan.AssignStaticAddress(Map.of()), missing))
        .isSameAs(troubles.staticAddress());
    assertThat(troubles.of(new MaintenancePlan.Idle(), NodeStatistics.NONE))
        .isSameAs(troubles.pool());
    MaintenancePlan asks =
        new MaintenancePlan.Allocate(
            new AllocationAction(
                Optional.empty(),
                Optional.empty(),
                0,
                new AddressPlan(9, 3, OptionalInt.empty(), 1, 1),
                0,
                List.of(),
                Optional.empty()));
    assertThat(troubles.of(asks, missing)).as("pods wait").isSameAs(troubles.pool());
    assertThat(troubles.of(asks, NodeStatistics.NONE)).isSameAs(troubles.drain());
    assertThat(troubles.willRetry()).isFalse();
    assertThat(troubles.nextWakeUp(environment.now())).isEmpty();
    for (NodeBackoff each :
        new NodeBackoff[] {troubles.pool(), troubles.staticAddress(), troubles.drain()}) {
      each.failed("node1", TRANSIENT);
      assertThat(troubles.willRetry()).isTrue();
      assertThat(troubles.nextWakeUp(environment.now())).isEqualTo(in(Duration.ofSeconds(2)));
      each.succeeded();
    }
    assertThat(troubles.willRetry()).isFalse();
  }
}
