package io.tidemark.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The pause between passes of the sync modes")
class ResyncTimeoutTest {
  @DisplayName("NC-57 goes up with failures in a row, and back with a success")
  @ParameterizedTest(name = "resync {0}, limit {1}, first {2}: {3}")
  @CsvSource({
    "10000, 5000, 1000, ++-----++--+, 10000 10000 1000 2000 4000 5000 5000 10000 10000 1000 2000 10000",
    "30000, 10000, 250, --------+, 250 500 1000 2000 4000 8000 10000 10000 30000",
    "1000, 500, 2000, ----, 2000 500 500 500",
    "1000, 500, 500, ---, 500 500 500",
    "1000, 500, 250, ---, 250 500 500",
    "1000, 0, 250, --, 250 0",
  })
  void pauses(long resync, long limit, long first, String results, String expected) {
    ResyncTimeout timeout =
        new ResyncTimeout(
            Duration.ofMillis(resync), Duration.ofMillis(limit), Duration.ofMillis(first));
    assertThat(timeout.next()).hasMillis(resync);
    List<String> pauses = new ArrayList<>();
    for (int i = 0; i < results.length(); i++) {
      timeout.update(results.charAt(i) == '+');
      pauses.add(Long.toString(timeout.next().toMillis()));
    }
    assertThat(String.join(" ", pauses)).isEqualTo(expected);
  }

  @Test
  @DisplayName("is never too long to be a duration")
  void longest() {
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    ResyncTimeout timeout = new ResyncTimeout(Duration.ZERO, longest, longest.minusSeconds(1));
    timeout.update(false);
    timeout.update(false);
    timeout.update(false);
    assertThat(timeout.next()).isEqualTo(longest);
  }
}
