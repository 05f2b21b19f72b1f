package io.tidemark.spi;

import java.util.Objects;
import java.util.Optional;

/**
 * What a {@link Checkup} found out about one thing. Immutable.
 *
 * @param area what it belongs to, such as {@code permission}
 * @param subject what was looked at, such as a permission
 * @param detail why, in a sentence without a full stop; empty when there is nothing to add
 * @param remedy what a person can do about it; empty when nothing is to be done
 * @param snippet what the remedy speaks of, to be taken over as it is
 */
public record Finding(
    String area,
    String subject,
    Verdict verdict,
    String detail,
    String remedy,
    Optional<String> snippet) {

  /** The result. */
  public enum Verdict {
    /** As it should be. */
    OK("ok", false),
    /** A permission that is there. */
    GRANTED("granted", false),
    /** Works now, and may not for long. */
    WARNING("warning", false),
    /** It cannot be decided from here; the detail says why. */
    UNDECIDABLE("undecidable", false),
    /** The check did not end in time; the detail says what it waited for. */
    UNFINISHED("not finished", false),
    /** A permission that is not there. */
    MISSING("missing", true),
    /** Not as it should be. */
    FAILED("failed", true);

    private final String text;
    private final boolean wrong;

    Verdict(String text, boolean wrong) {
      this.text = text;
      this.wrong = wrong;
    }

    /** Its name in reports. */
    public String text() {
      return text;
    }

    /** Whether something must be done before the provider can do its work. */
    public boolean isWrong() {
      return wrong;
    }
  }

  public Finding {
    Objects.requireNonNull(area, "area");
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(verdict, "verdict");
    Objects.requireNonNull(detail, "detail");
    Objects.requireNonNull(remedy, "remedy");
    Objects.requireNonNull(snippet, "snippet");
  }

  /** A finding with nothing to take over. */
  public static Finding of(
      String area, String subject, Verdict verdict, String detail, String remedy) {
    return new Finding(area, subject, verdict, detail, remedy, Optional.empty());
  }
}
