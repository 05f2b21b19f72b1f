package io.tidemark.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The result of a request")
class CallResultTest {

  private static final Failure FAILURE =
      Failure.of(Failure.Kind.NOT_FOUND, "notFound", "it is gone");

  private final CallResult<Integer> answered = new CallResult.Answered<>(7);
  private final CallResult<Integer> failed = new CallResult.Failed<>(FAILURE);

  @Test
  @DisplayName("takes a response on to what follows")
  void aResponseIsTakenOn() {
    assertThat(answered.map(value -> value + 1)).isEqualTo(new CallResult.Answered<>(8));
    assertThat(answered.flatMap(value -> failed)).isEqualTo(failed);
    assertThat(now(answered.then(value -> CallResult.answered("seven"))))
        .isEqualTo(new CallResult.Answered<>("seven"));
    assertThat(now(answered.then(value -> CallResult.<String>failed(FAILURE))))
        .isEqualTo(new CallResult.Failed<>(FAILURE));
    assertThat(now(CallResult.of(Optional.of(7), () -> FAILURE))).isEqualTo(answered);
    assertThat(answered.answer()).contains(7);
    assertThat(answered.refusal()).isEmpty();
  }

  @Test
  @DisplayName("keeps a failure as it is, and nothing follows it")
  void aFailureStays() {
    assertThat(failed.map(CallResultTest::never)).isEqualTo(new CallResult.Failed<>(FAILURE));
    assertThat(failed.flatMap(value -> new CallResult.Answered<>(never(value))))
        .isEqualTo(new CallResult.Failed<>(FAILURE));
    assertThat(now(failed.then(value -> CallResult.answered(never(value)))))
        .isEqualTo(new CallResult.Failed<>(FAILURE));
    assertThat(now(CallResult.of(Optional.<Integer>empty(), () -> FAILURE))).isEqualTo(failed);
    assertThat(failed.answer()).isEqualTo(Optional.empty());
    assertThat(failed.refusal()).contains(FAILURE);
  }

  @Test
  @DisplayName("is waited for, and then goes on by its case")
  void stillToCome() {
    CompletableFuture<CallResult<Integer>> coming = new CompletableFuture<>();
    var next = CallResult.after(coming, value -> CallResult.answered("got " + value));
    CompletionStage<String> both =
        CallResult.after(
            coming,
            value -> CompletableFuture.completedStage("got " + value),
            failure -> CompletableFuture.completedStage(failure.condition()));
    assertThat(now(both)).isNull();
    coming.complete(answered);
    assertThat(now(next)).isEqualTo(new CallResult.Answered<>("got 7"));
    assertThat(now(both)).isEqualTo("got 7");
  }

  @Test
  @DisplayName("ends what waits for it with its failure, or with what is made of that")
  void failedMeanwhile() {
    var ended = CompletableFuture.completedStage(failed);
    assertThat(now(CallResult.after(ended, value -> CallResult.answered(never(value)))))
        .isEqualTo(new CallResult.Failed<>(FAILURE));
    assertThat(
            now(
                CallResult.<Integer, String>after(
                    ended,
                    value -> CompletableFuture.completedStage(never(value)),
                    failure -> CompletableFuture.completedStage(failure.condition()))))
        .isEqualTo("notFound");
  }

  private static String never(int value) {
    throw new AssertionError("called with " + value);
  }

  private static <T> T now(CompletionStage<T> stage) {
    return stage.toCompletableFuture().getNow(null);
  }
}
