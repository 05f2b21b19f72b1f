package io.tidemark.resilience;

import static io.tidemark.resilience.Door.ASSIGN;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.Priority.Rank;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What our own rules refuse is named for people")
class LocalFailuresTest {
  private static final CallLimits ONE = new CallLimits(1, 1, Duration.ofSeconds(5), 1);

  private final Door door = new Door(CloudCallsConfig.defaults(), 1, Map.of(ASSIGN, ONE));

  private CallContext context(String node) {
    return door.context(node, Rank.BELOW_WATERMARK, Duration.ofMinutes(1));
  }

  private CallContext cancelled(String node) {
    CallContext context = context(node);
    context.cancellation().cancel();
    return context;
  }

  @DisplayName("a call by its operation, and by its node where it has one")
  @ParameterizedTest(name = "node {0}: {1}")
  @CsvSource({"n1, Assign[n1]", "'', Assign"})
  void call(String node, String name) {
    Failure failure = Door.failure(door.calls.call(ASSIGN, cancelled(node), attempt -> "done"));

    assertThat(failure.detail()).isEqualTo(name + " was cancelled before it was sent");
  }

  @DisplayName("an admission by its node where it has one, whether it waited or not")
  @ParameterizedTest(name = "node {0}: {1}")
  @CsvSource({"n1, admission[n1]", "'', admission"})
  void admission(String node, String name) {
    Admission atOnce = door.calls.admit(List.of(ASSIGN), cancelled(node));
    Admission first = door.calls.admit(List.of(ASSIGN), context("n2"));
    Admission waits = door.calls.admit(List.of(ASSIGN), context(node));
    assertThat(Door.pending(first.stage())).isFalse();
    assertThat(Door.pending(waits.stage())).isTrue();
    waits.cancel();

    for (Admission each : List.of(atOnce, waits)) {
      assertThat(Door.failure(each.stage()).detail())
          .isEqualTo(name + " was cancelled before it was sent");
    }
  }
}
