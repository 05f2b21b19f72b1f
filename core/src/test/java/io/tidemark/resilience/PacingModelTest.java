package io.tidemark.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.PacingModel.Result;
import io.tidemark.resilience.PacingModel.Setting;
import io.tidemark.testing.Cases;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A thousand nodes against the cloud's own bucket")
class PacingModelTest {
  private static final int SEEDS = Cases.of(21);

  @ParameterizedTest(name = "{0} ms per call")
  @ValueSource(ints = {800, 1_500})
  @DisplayName(
      "performance C6: 40 % of the bucket goes to noisy neighbours, few calls are throttled")
  void neighbours(int latencyMillis) {
    Setting setting = new Setting(1_000, 5, 5, 2, 50, latencyMillis);
    Sample sample = Sample.of(setting);
    assertThat(sample.sorted(Result::throttledShare))
        .as("throttled share, seeds 0 to %d", SEEDS - 1)
        .satisfies(
            shares -> {
              assertThat(shares[SEEDS / 2]).isLessThanOrEqualTo(0.05);
              assertThat(shares[SEEDS - 1]).isLessThanOrEqualTo(0.07);
            });
    assertThat(sample.sorted(sample::overLimit))
        .as("time over the limit of %.0f s", setting.limitSeconds())
        .satisfies(
            ratios -> {
              assertThat(ratios[SEEDS / 2]).isLessThanOrEqualTo(1.05);
              assertThat(ratios[SEEDS - 1]).isLessThanOrEqualTo(1.1);
            });
  }

  @ParameterizedTest(name = "{0} ms per call")
  @ValueSource(ints = {800, 1_500})
  @DisplayName("performance C7: a refill raised threefold behind our back is found and used")
  void raised(int latencyMillis) {
    Setting setting = new Setting(1_000, 5, 15, 0, 50, latencyMillis);
    Sample sample = Sample.of(setting);
    assertThat(sample.sorted(sample::overLimit)[SEEDS - 1])
        .as("time over the limit of %.0f s", setting.limitSeconds())
        .isLessThanOrEqualTo(1.2);
  }

  @Test
  @DisplayName("performance C1: alone, the documented limits are used up")
  void alone() {
    Sample sample = Sample.of(new Setting(1_000, 5, 5, 0, 50, 1_500));
    assertThat(sample.sorted(sample::overLimit)[SEEDS - 1]).isLessThanOrEqualTo(1.1);
    assertThat(sample.sorted(Result::throttledShare)[SEEDS - 1]).isLessThanOrEqualTo(0.05);
  }

  @Test
  @DisplayName("a cloud that gives a fifth of what it documents is followed down")
  void lowered() {
    Sample sample = Sample.of(new Setting(300, 5, 1, 0, 50, 800));
    assertThat(sample.sorted(sample::overLimit)[SEEDS - 1]).isLessThanOrEqualTo(1.1);
    assertThat(sample.sorted(Result::rate)[SEEDS - 1]).isLessThan(2);
  }

  /** The same setting with many seeds. */
  private record Sample(Setting setting, List<Result> results) {
    static Sample of(Setting setting) {
      return new Sample(
          setting,
          IntStream.range(0, SEEDS).mapToObj(seed -> PacingModel.run(setting, seed)).toList());
    }

    double overLimit(Result result) {
      return result.lastSeconds() / setting.limitSeconds();
    }

    double[] sorted(ToDoubleFunction<Result> figure) {
      return results.stream().mapToDouble(figure).sorted().toArray();
    }
  }
}
