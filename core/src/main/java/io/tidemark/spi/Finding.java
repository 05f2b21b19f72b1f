package io.tidemark.spi;

import java.util.Objects;
import java.util.Optional;

/**
 * One result of a {@link Checkup}. Immutable.
 *
 * @param area what it belongs to, such as {@code permission}
 * @param subject what was checked, such as a permission
 * @param detail why, in a sentence without a full stop; empty when there is nothing to add
 * @param remedy the action for the user; empty when none is needed
 * @param snippet text that the remedy refers to, to copy unchanged
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
    /** Correct. */
    OK("ok", false),
    /** A granted permission. */
    GRANTED("granted", false),
    /** Works now, but may fail later. */
    WARNING("warning", false),
    /** It cannot be decided; the detail gives the reason. */
    UNDECIDABLE("undecidable", false),
    /** The check did not end in time; the detail says what it waited for. */
    UNFINISHED("not finished", false),
    /** A missing permission. */
    MISSING("missing", true),
    /** Incorrect. */
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

    /** Whether the provider cannot work until this is corrected. */
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

  /** A finding without a snippet. */
  public static Finding of(
      String area, String subject, Verdict verdict, String detail, String remedy) {
    return new Finding(area, subject, verdict, detail, remedy, Optional.empty());
  }
}
