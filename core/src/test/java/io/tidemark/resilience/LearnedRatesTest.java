package io.tidemark.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.LearnedRates.Estimate;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Learned rates as text")
class LearnedRatesTest {
  @Test
  @DisplayName("what is written is read back, also where an account has no name")
  void roundTrip() {
    LearnedRates rates =
        new LearnedRates(List.of(new Estimate("1/eu", "Attach", 1.5), new Estimate("", "Get", 20)));
    assertThat(rates.text()).isEqualTo("1/eu\tAttach\t1.5\n\tGet\t20.0\n");
    assertThat(LearnedRates.parse(rates.text())).isEqualTo(rates);
    assertThat(LearnedRates.parse("")).isEqualTo(LearnedRates.NONE);
  }

  @ParameterizedTest
  @DisplayName("an estimate that cannot be read is left out, the others count")
  @ValueSource(
      strings = {
        "a\tb",
        "a\tb\tc\td",
        "a\tb\tfast",
        "a\tb\t0",
        "a\tb\t-1",
        "a\tb\tNaN",
        "a\tb\tInfinity",
        ""
      })
  void unreadable(String line) {
    assertThat(LearnedRates.parse(line + "\n1/eu\tAttach\t1.5\n").estimates())
        .containsExactly(new Estimate("1/eu", "Attach", 1.5));
  }

  @Test
  @DisplayName("no more estimates are read than a lease can sensibly hold")
  void bounded() {
    assertThat(LearnedRates.parse("a\tb\t1\n".repeat(2_000)).estimates()).hasSize(1_024);
  }
}
