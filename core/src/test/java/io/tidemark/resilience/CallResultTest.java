package io.tidemark.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
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
    assertThat(CallResult.of(Optional.of(7), () -> FAILURE)).isEqualTo(answered);
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
    assertThat(CallResult.of(Optional.<Integer>empty(), () -> FAILURE)).isEqualTo(failed);
    assertThat(failed.answer()).isEqualTo(Optional.empty());
    assertThat(failed.refusal()).contains(FAILURE);
  }

  private static String never(int value) {
    throw new AssertionError("called with " + value);
  }

  private static <T> T now(CompletionStage<T> stage) {
    return stage.toCompletableFuture().getNow(null);
  }
}
