package io.tidemark.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.retry.Retry;
import io.tidemark.resilience.CallLayer.Ended;
import io.tidemark.resilience.Failure.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName(
    "The pause before an attempt: drawn between none and its bound, or what the cloud asks")
class RetryRuleTest {
  private static final CloudCallsConfig.Retries RETRIES =
      new CloudCallsConfig.Retries(
          Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofSeconds(3));

  /** All draws are the same. */
  private record Drawn(double value) implements RandomGenerator {
    @Override
    public long nextLong() {
      throw new UnsupportedOperationException("only doubles are drawn");
    }

    @Override
    public double nextDouble() {
      return value;
    }
  }

  @ParameterizedTest(name = "{0} after {1} attempts, drawn {2}, asked for {3} ms -> {4} ms")
  @CsvSource({
    "TRANSIENT, 1, 0,        , 0",
    "TRANSIENT, 1, 0.999999, , 200",
    "TRANSIENT, 2, 0.999999, , 400",
    "TRANSIENT, 2, 0.5,      , 200",
    "TRANSIENT, 5, 0.999999, , 3000",
    "LOST,      1, 0.999999, , 200",
    "THROTTLED, 1, 0.999999, , 1000",
    "THROTTLED, 2, 0.999999, , 2000",
    "THROTTLED, 3, 0.999999, , 3000",
    "THROTTLED, 1, 0,    1500, 1500",
    "THROTTLED, 1, 0.999999, 10, 1000",
    "CONFLICT,  1, 0.5,      , -1",
  })
  void pause(Kind kind, int attempts, double drawn, Long asked, long expected) {
    Retry retry = RetryRule.retry("retry", Door.DESCRIBE, 9, RETRIES, new Drawn(drawn));
    Failure failure =
        new Failure(kind, "code", "detail", Optional.ofNullable(asked).map(Duration::ofMillis));
    Retry.AsyncContext<Ended<?>> progress = retry.asyncContext();
    long pause = 0;
    for (int i = 0; i < attempts; i++) {
      pause = progress.onResult(Ended.byCloud(new CallResult.Failed<>(failure)));
    }
    assertThat(pause).isEqualTo(expected);
  }
}
