package io.tidemark.provider.kit.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.Held;
import io.tidemark.provider.kit.Known;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AliasRangeOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An alias range is assigned once, whatever becomes of the responses")
class RangeAssignmentTest {
  private static final Cidr RANGE = Cidr.parse("10.0.3.16/28");
  private static final Duration HORIZON = Duration.ofSeconds(20);

  private final VirtualTime time = new VirtualTime(0);
  private final Script cloud = new Script();
  private final RangeAssignment assignment = new RangeAssignment(cloud, time, HORIZON);

  /** Results of the requests in their order; a request too many fails the test. */
  private static final class Script implements RangeAssignment.Cloud {
    final Deque<String> results = new ArrayDeque<>();
    final List<String> requests = new ArrayList<>();
    int added;

    @Override
    public CompletionStage<CallResult<InstanceId>> send(
        InstanceId instance, Cidr range, CallContext context) {
      requests.add("send");
      String result = results.remove();
      return result.equals("done") ? CallResult.answered(instance) : failed(result);
    }

    @Override
    public CompletionStage<CallResult<Boolean>> shows(
        InstanceId instance, Cidr range, CallContext context) {
      requests.add("read");
      String result = results.remove();
      return switch (result) {
        case "there" -> CallResult.answered(true);
        case "absent" -> CallResult.answered(false);
        default -> failed(result);
      };
    }

    private static <T> CompletionStage<CallResult<T>> failed(String result) {
      Failure.Kind kind =
          switch (result) {
            case "lost" -> Failure.Kind.LOST;
            case "throttled" -> Failure.Kind.THROTTLED;
            case "gone" -> Failure.Kind.NOT_FOUND;
            case "unread" -> Failure.Kind.TRANSIENT;
            default -> Failure.Kind.CONFLICT;
          };
      return CallResult.failed(Failure.of(kind, result, "because " + result));
    }

    @Override
    public void added(InstanceId instance, Cidr range) {
      added++;
    }

    @Override
    public RangeAssignment.Meaning meaning(Failure refusal) {
      return switch (refusal.condition()) {
        case "assigned" -> RangeAssignment.Meaning.ASSIGNED;
        case "held" -> RangeAssignment.Meaning.HELD;
        case "doubtful" -> RangeAssignment.Meaning.DOUBTFUL;
        default -> RangeAssignment.Meaning.REFUSED;
      };
    }
  }

  private String add(String results) {
    cloud.results.addAll(Arrays.asList(results.split(" ", -1)));
    AliasRangeOutcome outcome =
        assignment
            .add(Known.INSTANCE, RANGE, new Known(Held.empty("eni-0")).context())
            .toCompletableFuture()
            .getNow(null);
    assertThat(cloud.results).as("all were asked for").isEmpty();
    return text(outcome);
  }

  private static String text(AliasRangeOutcome outcome) {
    if (outcome instanceof AliasRangeOutcome.Taken taken) {
      return "Taken, " + taken.detail();
    }
    if (outcome instanceof AliasRangeOutcome.Refused refused) {
      return "Refused, " + refused.failure().detail();
    }
    return outcome instanceof AliasRangeOutcome.Unknown unknown
        ? "Unknown, " + unknown.failure().detail()
        : outcome.getClass().getSimpleName();
  }

  @DisplayName("NC-AM28 one attempt, by the results of its requests")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          done            | Added
          assigned        | AlreadyOurs
          held there      | AlreadyOurs
          held absent     | Taken, because held
          held unread     | Refused, because unread
          doubtful there  | AlreadyOurs
          doubtful absent | Refused, because doubtful
          throttled       | Refused, because throttled
          gone            | Refused, because gone
          lost there      | Added
          lost absent     | Unknown, because lost
          lost unread     | Unknown, because lost
          """)
  void first(String results, String outcome) {
    assertThat(add(results)).isEqualTo(outcome);
    assertThat(cloud.added)
        .isEqualTo(outcome.equals("Added") || outcome.equals("AlreadyOurs") ? 1 : 0);
  }

  @DisplayName("NC-AM28 the next one after a lost response, {1} seconds later")
  @ParameterizedTest(name = "{0} after {1} s: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          there                 | 1  | AlreadyOurs
          unread                | 1  | Unknown, because unread
          absent done           | 1  | Added
          absent lost absent    | 1  | Unknown, because lost
          absent lost there     | 1  | Added
          absent held there     | 1  | AlreadyOurs
          absent held absent    | 1  | Unknown, because held
          absent held unread    | 1  | Unknown, because unread
          absent doubtful absent | 1 | Unknown, because doubtful
          absent throttled      | 1  | Unknown, because throttled
          absent gone           | 1  | Refused, because gone
          absent held absent    | 20 | Taken, because held
          absent doubtful absent | 20 | Refused, because doubtful
          absent throttled      | 20 | Refused, because throttled
          unread                | 20 | Unknown, because unread
          """)
  void afterLost(String results, int seconds, String outcome) {
    assertThat(add("lost absent")).startsWith("Unknown");
    time.runUntil(Duration.ofSeconds(seconds).toNanos());
    cloud.requests.clear();
    assertThat(add(results)).isEqualTo(outcome);
    assertThat(cloud.requests).as("a read comes before the repetition").first().isEqualTo("read");
  }

  @Test
  @DisplayName("NC-AM28 what was settled, and an instance that is gone, need no read any more")
  void settled() {
    assertThat(add("lost absent")).startsWith("Unknown");
    assertThat(add("absent done")).isEqualTo("Added");
    assertThat(add("assigned")).isEqualTo("AlreadyOurs");
    assertThat(add("lost absent")).startsWith("Unknown");
    assignment.forget(new InstanceId("i-another"));
    assertThat(add("absent throttled")).startsWith("Unknown");
    assignment.forget(Known.INSTANCE);
    assertThat(add("throttled")).startsWith("Refused");
  }
}
