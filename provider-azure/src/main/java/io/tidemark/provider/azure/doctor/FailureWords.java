package io.tidemark.provider.azure.doctor;

import io.tidemark.resilience.Failure;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;

/** How findings speak of a request that failed. */
final class FailureWords {
  private FailureWords() {}

  /** What it leaves open: there is no telling, or there was no time. */
  static Finding undecided(String area, String subject, Failure failure) {
    return Finding.of(
        area,
        subject,
        failure.isOfDeadline() ? Verdict.UNFINISHED : Verdict.UNDECIDABLE,
        (failure.isOfDeadline() ? "the time was over: " : "") + failure.detail(),
        "");
  }

  /** What is wrong, unless there was no time to see it. */
  static Finding failed(String area, String subject, Failure failure, String remedy) {
    return failure.isOfDeadline()
        ? undecided(area, subject, failure)
        : Finding.of(area, subject, Verdict.FAILED, failure.detail(), remedy);
  }
}
