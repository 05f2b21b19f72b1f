package io.tidemark.error;

import java.util.Locale;

/**
 * One published kind of error. Implemented by enums only; numbers are never reused.
 *
 * <p>The text form is {@code TM-<number> <NAME>}, for example {@code TM-1201 OUT_OF_INTERFACES}.
 */
public interface ErrorCode {
  /** What the error asks of whoever meets it. */
  enum Kind {
    /** A person gave a wrong value. */
    USAGE,
    /** Settings or permissions must be changed before it can work. */
    CONFIGURATION,
    /** The cloud has no room; it may have some later or elsewhere. */
    CAPACITY,
    /** Trying again later is right. */
    RETRYABLE,
    /** A promise inside the program was broken. */
    INTERNAL
  }

  /** The published number. */
  int number();

  /** The enum constant's name. */
  String name();

  /** What reaction it asks for. */
  Kind kind();

  /** What a person can do about it, one sentence. */
  String remedy();

  /** {@code TM-<number>}, the form that JSON output and metrics carry. */
  default String label() {
    return String.format(Locale.ROOT, "TM-%04d", number());
  }
}
