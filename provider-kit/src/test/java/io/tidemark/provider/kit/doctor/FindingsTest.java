package io.tidemark.provider.kit.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.Failure;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Findings that are the same for every cloud")
class FindingsTest {
  private static final Failure LATE =
      Failure.of(Failure.Kind.CANCELLED, "deadlinePassed", "the list");
  private static final Failure REFUSED =
      Failure.of(Failure.Kind.CONFIGURATION, "refused", "no role");

  @Test
  @DisplayName("tell what is wrong or open from what was not finished in time")
  void unfinished() {
    assertThat(Findings.failed("area", "it", REFUSED, "Give it."))
        .isEqualTo(Finding.of("area", "it", Verdict.FAILED, "no role", "Give it."));
    assertThat(Findings.undecided("area", "it", REFUSED).verdict()).isEqualTo(Verdict.UNDECIDABLE);
    Finding late = Findings.failed("area", "it", LATE, "Give it.");
    assertThat(late).isEqualTo(Findings.undecided("area", "it", LATE, "whatever"));
    assertThat(late.verdict()).isEqualTo(Verdict.UNFINISHED);
    assertThat(late.detail()).isEqualTo("not asked in time: the list");
  }

  @ParameterizedTest(name = "{0} s: {1}, {2}")
  @CsvSource({
    "0, OK, agrees to the second",
    "-59, OK, 59 s ahead of Sky",
    "60, WARNING, 60 s behind Sky",
    "-300, FAILED, 300 s ahead of Sky"
  })
  @DisplayName("judge the clock by the time that the cloud tells")
  void clock(long seconds, Verdict verdict, String detail) {
    Finding clock = Findings.clock("Sky", Optional.of(Duration.ofSeconds(seconds)), "Set it.");
    assertThat(clock.verdict()).isEqualTo(verdict);
    assertThat(clock.detail()).isEqualTo(detail);
    assertThat(clock.remedy().isEmpty()).isEqualTo(verdict == Verdict.OK);
    assertThat(Findings.clock("Sky", Optional.empty(), "Set it.").verdict())
        .isEqualTo(Verdict.UNDECIDABLE);
  }
}
