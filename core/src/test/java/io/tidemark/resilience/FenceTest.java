package io.tidemark.resilience;

import static io.tidemark.resilience.Door.ASSIGN;
import static io.tidemark.resilience.Door.CREATE;
import static io.tidemark.resilience.Door.DESCRIBE;
import static io.tidemark.resilience.Door.TAG;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Meters;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName(
    "A closed fence: no change is sent, whoever waited for it (reliability.md, two leaders)")
class FenceTest {
  private final VirtualTime time = new VirtualTime(0);
  private final Wire wire = new Wire(time);
  private final List<String> arrived = new ArrayList<>();
  private boolean open = true;
  private final CloudCalls calls =
      new StandardCloudCallsFactory(
              CloudCallsConfig.defaults(),
              time,
              wire,
              new Random(1),
              Meters.none(),
              LearnedRates.NONE,
              () -> open)
          .create(Door.policy(Map.of()));

  private CompletionStage<CallResult<String>> call(CallKind kind) {
    CallContext context =
        CallContext.of(
            "n1",
            new Priority(Priority.Rank.BELOW_WATERMARK, 0),
            time.nanos() + Duration.ofMinutes(1).toNanos(),
            new Cancellation());
    return calls.call(
        kind,
        context,
        attempt -> {
          arrived.add(kind.name());
          return "done";
        });
  }

  @Test
  @DisplayName("reads pass, changes of every kind end as cancelled and never arrive")
  void closed() {
    open = false;
    assertThat(Door.answer(call(DESCRIBE))).isEqualTo("done");
    for (CallKind change : List.of(ASSIGN, CREATE, TAG)) {
      Failure failure = Door.failure(call(change));
      assertThat(failure.kind()).isEqualTo(Failure.Kind.CANCELLED);
      assertThat(failure.condition()).isEqualTo("notLeader");
    }
    assertThat(arrived).containsExactly("Describe");
  }

  @Test
  @DisplayName("a change that was handed over before the fence closed and not yet sent is not sent")
  void closesOnTheWay() {
    wire.latency(site -> Duration.ofSeconds(1));
    var change = call(ASSIGN);
    open = false;
    time.runUntil(Duration.ofSeconds(5).toNanos());
    assertThat(Door.failure(change).condition()).isEqualTo("notLeader");
    assertThat(arrived).isEmpty();
  }
}
