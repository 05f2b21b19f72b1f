package io.tidemark.demand;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("How long the free addresses of a subnet last")
class SubnetForecastTest {
  private static final long HOUR = Duration.ofHours(1).toNanos();

  /** Of Monday at midnight, hour 0, on. */
  private static IntUnaryOperator shape(String name) {
    return switch (name) {
      case "falls by 10 an hour" -> hour -> Math.max(0, 5000 - 10 * hour);
      case "falls by 1 a day" -> hour -> 5000 - hour / 24;
      case "flat" -> hour -> 500;
      case "flat with noise" -> hour -> 500 + hour * 7919 % 7;
      case "grows" -> hour -> 500 + hour;
      case "burst of two hours" -> hour -> hour == 170 || hour == 171 ? 1 : 1000;
      case "daily curve" -> SubnetForecastTest::day;
      case "falls by 240 a day with a daily curve" -> hour -> 4000 + day(hour) - 10 * hour;
      case "free at weekends" -> hour -> hour % 168 < 120 ? 300 : 1500;
      case "a step of two thirds" -> hour -> hour < 170 ? 1500 : 500;
      case "a step of a third" -> hour -> hour < 170 ? 1500 : 1000;
      case "a step of a third in the first day" -> hour -> hour < 12 ? 1500 : 1000;
      case "a step of a third in the fourth day" -> hour -> hour < 72 ? 1500 : 1000;
      case "falls until a release" -> hour -> hour < 300 ? 5000 - 10 * hour : 2500;
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** Between 50 and 1950, lowest at six in the evening. */
  private static int day(int hour) {
    return (int) (1000 + 950 * Math.sin(2 * Math.PI * hour / 24));
  }

  private static SubnetForecast after(IntUnaryOperator free, int hours) {
    SubnetForecast forecast = new SubnetForecast();
    for (int hour = 0; hour <= hours; hour++) {
      forecast.sample(hour * HOUR, free.applyAsInt(hour));
    }
    return forecast;
  }

  @DisplayName("The low of a day lasts for as long as the rate of a week says")
  @ParameterizedTest(name = "{0}, after {1} hours: {2} days, {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          falls by 10 an hour | 94  | -1   | four days are not known
          falls by 10 an hour | 95  | 17.0 | of 4073
          falls by 10 an hour | 400 | 4.3  | of 1023
          falls by 10 an hour | 477 | 1.1  | of 253
          falls by 10 an hour | 600 | -1   | it is empty
          falls by 1 a day    | 400 | -1   | that is noise
          falls by 240 a day with a daily curve | 336 | 2.9 | at midnight
          falls by 240 a day with a daily curve | 348 | 4.0 | at noon
          falls until a release | 299 | 8.5 | before it
          falls until a release | 300 | -1  | after it
          """)
  void days(String shape, int hours, double expected, String because) {
    double days = after(shape(shape), hours).daysLeft().orElse(-1);

    assertEquals(expected, Math.round(days * 10) / 10.0, because);
  }

  @DisplayName("Nothing is foretold for a week, whatever the hour, where a subnet")
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "flat",
    "flat with noise",
    "grows",
    "burst of two hours",
    "daily curve",
    "free at weekends",
    "a step of a third",
    "a step of two thirds",
    "a step of a third in the first day",
    "a step of a third in the fourth day"
  })
  void nothing(String shape) {
    for (int hours = 0; hours < 400; hours++) {
      double days = after(shape(shape), hours).daysLeft().orElse(90);
      assertEquals(90, days < 7 ? days : 90, 0, "after " + hours + " hours");
    }
  }

  @Test
  @DisplayName("An hour counts once, and one without a count has that of the one before")
  void hours() {
    SubnetForecast often = new SubnetForecast();
    SubnetForecast seldom = new SubnetForecast();
    for (int minute = 0; minute <= 124 * 60; minute++) {
      int hour = minute / 60;
      int free = hour < 124 ? 5000 - 10 * Math.min(100, hour) : 3000;
      often.sample(minute * HOUR / 60, minute % 60 == 0 ? free : 0);
      if (hour <= 100 || hour == 124) {
        seldom.sample(minute * HOUR / 60, free);
      }
    }

    assertEquals(often.daysLeft(), seldom.daysLeft());
    assertEquals(17.8, often.daysLeft().orElseThrow(), 0.1);
  }
}
