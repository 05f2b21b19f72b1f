package io.tidemark.provider.kit.doctor;

import io.tidemark.resilience.Failure;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.time.Duration;
import java.util.Optional;

/** Findings that are the same for every cloud. Pure. */
public final class Findings {
  /** Clouds refuse requests, or tokens end, when the clocks differ by as much. */
  private static final Duration SKEW_MAX = Duration.ofMinutes(5);

  private static final Duration SKEW_WARNED = Duration.ofMinutes(1);

  private Findings() {}

  /** A check whose request failed: it cannot be decided, or it did not end in time. */
  public static Finding undecided(String area, String subject, Failure failure) {
    return undecided(area, subject, failure, failure.detail());
  }

  /**
   * The same.
   *
   * @param detail why it cannot be decided
   */
  public static Finding undecided(String area, String subject, Failure failure, String detail) {
    return failure.isOfDeadline()
        ? Finding.of(area, subject, Verdict.UNFINISHED, unfinished(failure), "")
        : Finding.of(area, subject, Verdict.UNDECIDABLE, detail, "");
  }

  /** A check whose request failed because something is wrong, unless it did not end in time. */
  public static Finding failed(String area, String subject, Failure failure, String remedy) {
    return failure.isOfDeadline()
        ? undecided(area, subject, failure)
        : Finding.of(area, subject, Verdict.FAILED, failure.detail(), remedy);
  }

  /** The reason why a request was unfinished at its deadline. */
  public static String unfinished(Failure failure) {
    return (failure.wasOnWireAtDeadline() ? "" : "not asked in time: ") + failure.detail();
  }

  /**
   * Whether the clock of this machine is right.
   *
   * @param cloud its name
   * @param skew how far its clock is ahead of ours; negative if ours is ahead, empty if unknown
   * @param remedy for a wrong clock
   */
  public static Finding clock(String cloud, Optional<Duration> skew, String remedy) {
    String subject = "this machine against " + cloud;
    if (skew.isEmpty()) {
      return Finding.of(
          "clock", subject, Verdict.UNDECIDABLE, "no answer of " + cloud + " told its time", "");
    }
    Duration by = skew.get().abs();
    Verdict verdict =
        by.compareTo(SKEW_MAX) >= 0
            ? Verdict.FAILED
            : by.compareTo(SKEW_WARNED) >= 0 ? Verdict.WARNING : Verdict.OK;
    return Finding.of(
        "clock",
        subject,
        verdict,
        by.isZero()
            ? "agrees to the second"
            : by.toSeconds() + " s " + (skew.get().isNegative() ? "ahead of " : "behind ") + cloud,
        verdict == Verdict.OK ? "" : remedy);
  }
}
