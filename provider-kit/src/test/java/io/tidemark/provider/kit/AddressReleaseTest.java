package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Giving addresses of one interface back")
class AddressReleaseTest {
  private static final InterfaceId ENI = new InterfaceId("eni-0");

  private final Held held =
      Held.of(ENI, Held.holding(ENI, 8).singles(), List.of(Cidr.parse("10.1.0.0/28")));
  private final Known known = new Known(held);
  private final List<String> requests = new ArrayList<>();
  private final List<String> freed = new ArrayList<>();

  private ReleaseOutcome release(boolean together, int singles, int blocks, Deque<String> answers) {
    ReleaseAction action =
        new ReleaseAction(
            Optional.of(ENI),
            Optional.empty(),
            held.singles().last(singles),
            held.prefixes().subList(0, blocks),
            new CallKind("Unassign", CallKind.Effect.REPEATABLE));
    return new AddressRelease<>(
            known.account.inventory(),
            Known.INSTANCE,
            action,
            together,
            (gone, goneBlocks) -> {
              requests.add(gone.size() + "+" + goneBlocks.size());
              String answer = answers.remove();
              return CompletableFuture.completedStage(
                  answer.equals("done")
                      ? new CallResult.Answered<>(ENI)
                      : new CallResult.Failed<>(Failure.of(kind(answer), answer, "")));
            },
            count -> freed.add(Integer.toString(count)))
        .run()
        .toCompletableFuture()
        .join();
  }

  private static Failure.Kind kind(String answer) {
    return answer.equals("lost") ? Failure.Kind.LOST : Failure.Kind.THROTTLED;
  }

  private String text(ReleaseOutcome outcome) {
    if (outcome instanceof ReleaseOutcome.Released released) {
      assertThat(released.generation()).isEqualTo(known.view().generation());
      return released.addresses().size()
          + "+"
          + released.blocks().size()
          + released.rest().map(failure -> ", rest " + failure.condition()).orElse("");
    }
    return outcome instanceof ReleaseOutcome.Unknown unknown
        ? "unknown, " + unknown.failure().condition()
        : "nothing, " + ((ReleaseOutcome.NothingReleased) outcome).failure().condition();
  }

  @DisplayName("blocks, then singles, or both together; what went or may have gone is not offered")
  @ParameterizedTest(name = "together {0}, {1} singles and {2} blocks, answered {3}: {4}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # together | singles, blocks | answers | outcome | requests | freed | left
          false | 3 | 1 | done done | 3+1             | 0+1 3+0 | 16 3 | 5+0
          false | 2 | 0 | done      | 2+0             | 2+0     | 2    | 6+1
          false | 0 | 1 | done      | 0+1             | 0+1     | 16   | 8+0
          false | 3 | 1 | slow      | nothing, slow   | 0+1     | ''   | 8+1
          false | 3 | 1 | done slow | 0+1, rest slow  | 0+1 3+0 | 16   | 8+0
          false | 3 | 0 | lost      | unknown, lost   | 3+0     | ''   | 5+1
          false | 3 | 1 | done lost | unknown, lost   | 0+1 3+0 | 16   | 5+0
          true  | 3 | 1 | done      | 3+1             | 3+1     | 19   | 5+0
          true  | 3 | 1 | slow      | nothing, slow   | 3+1     | ''   | 8+1
          true  | 3 | 1 | lost      | unknown, lost   | 3+1     | ''   | 5+0
          """)
  void releases(
      boolean together,
      int singles,
      int blocks,
      String answers,
      String outcome,
      String sent,
      String returned,
      String left) {
    Deque<String> each = new ArrayDeque<>(Arrays.asList(answers.split(" ", -1)));
    assertThat(text(release(together, singles, blocks, each))).isEqualTo(outcome);
    assertThat(each).as("all requests were sent").isEmpty();
    assertThat(requests).containsExactly(sent.split(" ", -1));
    assertThat(freed).isEqualTo(words(returned));
    Held now = known.view().interfaces().get(0);
    assertThat(now.singles().size() + "+" + now.prefixes().size()).isEqualTo(left);
    assertThat(now.singles()).isEqualTo(held.singles().first(now.singles().size()));
    assertThat(known.account.inventory().covered(100) < 100)
        .as("in doubt until a read tells")
        .isEqualTo(outcome.startsWith("unknown"));
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split(" ", -1));
  }
}
