package io.tidemark.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
  @DisplayName("N7 durations are written as in Go or as in ISO-8601")
  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "3m, PT3M",
    "1m30s, PT1M30S",
    "500ms, PT0.5S",
    "1.5h, PT1H30M",
    ".5s, PT0.5S",
    "1.s, PT1S",
    "2h45m0.5s, PT2H45M0.5S",
    "10us, PT0.00001S",
    "10µs, PT0.00001S",
    "7ns, PT0.000000007S",
    "0, PT0S",
    "0s, PT0S",
    "-1m, PT-1M",
    "+5s, PT5S",
    "1s1s, PT2S",
    "PT3M, PT3M",
    "P1D, PT24H",
    "-PT5S, PT-5S"
  })
  void parsed(String text, Duration expected) {
    assertThat(DurationText.parse(text)).hasValue(expected);
  }

  @DisplayName("Whatever else is no duration")
  @ParameterizedTest(name = "\"{0}\"")
  @ValueSource(
      strings = {
        "",
        " ",
        "3",
        "3 m",
        "m",
        "3d",
        "1h-5m",
        "--1s",
        "-",
        "3M",
        "3m!",
        ".s",
        "1..5s",
        "1e3s",
        "P",
        "PT",
        "P1Y",
        "99999999999h",
        "P106752D",
        "٣m",
        "1s ",
        "NaN",
        "0x1s",
        "111111111111111111111111111111111111111111111111111111111111111111111ns"
      })
  void refused(String text) {
    assertThat(DurationText.parse(text)).isEmpty();
  }

  @DisplayName("What is printed reads back")
  @ParameterizedTest(name = "{1}")
  @CsvSource({
    "PT0S, 0s",
    "PT3M, 3m",
    "PT24H, 24h",
    "PT1H0M30S, 1h30s",
    "PT0.25S, 250ms",
    "PT-1.5S, -1s500ms",
    "PT0.000001002S, 1us2ns"
  })
  void printed(Duration duration, String expected) {
    assertThat(DurationText.print(duration)).isEqualTo(expected);
    assertThat(DurationText.parse(expected)).hasValue(duration);
  }

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @DisplayName("Any duration in nanoseconds survives print and parse")
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void roundTrip(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Duration duration = Duration.ofNanos(random.nextLong() >> random.nextInt(64));
    assertThat(DurationText.parse(DurationText.print(duration))).hasValue(duration);
    assertThat(DurationText.parse(duration.toString())).hasValue(duration);
  }
}
