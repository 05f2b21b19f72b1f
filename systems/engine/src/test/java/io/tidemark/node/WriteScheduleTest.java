package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.testing.LogLines;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("When a failed write of the resource is made again (node-manager 6)")
class WriteScheduleTest {
  private static final NodeStatusWriter.Result DONE = new NodeStatusWriter.Result.Done();
  private static final NodeStatusWriter.Result FAILED = new NodeStatusWriter.Result.Failed();

  private final BareEnvironment bare = new BareEnvironment();
  private final NodeEnvironment environment = bare.of(EngineConfig.defaults());
  private final NodeStatusWriter.WriteSchedule writing =
      new NodeStatusWriter.WriteSchedule("node1", environment, Samples.node("node1").build());

  private OptionalLong in(Duration duration) {
    return OptionalLong.of(environment.now() + duration.toNanos());
  }

  @Test
  @DisplayName("nothing has failed: nothing is waited for")
  void none() {
    assertThat(writing.refused()).isEmpty();
    assertThat(writing.nextWakeUp()).isEmpty();
    assertThat(writing.isWaiting()).isFalse();
    assertThat(writing.isDueAgain()).isFalse();
  }

  @DisplayName("a write is made again later with every failure, within half of its pause")
  @ParameterizedTest(name = "failure {0}, drawn {1}: after {2} ms")
  @CsvSource({
    "1, 0.0,   500", "1, 0.5,  1000", "2, 0.5,  2000", "3, 0.5,  4000", "4, 0.5,  8000",
    "5, 0.5, 16000", "6, 0.5, 30000", "7, 0.5, 30000", "40, 0.5, 30000", "6, 0.9, 42000",
  })
  void writes(int failures, double draw, long millis) {
    bare.draw = draw;
    for (int i = 0; i < failures; i++) {
      writing.ended(FAILED);
    }
    assertThat(writing.nextWakeUp()).isEqualTo(in(Duration.ofMillis(millis)));
    assertThat(writing.isWaiting()).isTrue();
    assertThat(writing.refused()).isEmpty();
    writing.ended(DONE);
    assertThat(writing.nextWakeUp()).isEmpty();
    assertThat(writing.isWaiting()).isFalse();
    writing.ended(FAILED);
    bare.pass(Duration.ofMinutes(1));
    assertThat(writing.nextWakeUp()).as("only instants to come").isEmpty();
  }

  @Test
  @DisplayName("a refused write waits longest, is told once per content and until one is taken")
  void refusedWrite() {
    bare.draw = 0.5;
    try (LogLines log = new LogLines(NodeStatusWriter.class)) {
      writing.ended(new NodeStatusWriter.Result.Refused("too long"));
      writing.ended(new NodeStatusWriter.Result.Refused("too long"));
      assertThat(writing.nextWakeUp()).isEqualTo(in(Duration.ofSeconds(30)));
      assertThat(writing.isWaiting()).isFalse();
      writing.ended(FAILED);
      assertThat(writing.refused())
          .contains(new Blocked(BlockedReason.INVALID_RESOURCE, "too long"));
      writing.ended(new NodeStatusWriter.Result.Refused("too short"));
      assertThat(log.warnings()).hasSize(2).last().asString().contains("node1", "too short");
    }
    writing.ended(DONE);
    assertThat(writing.refused()).isEmpty();
  }
}
