package io.tidemark.error;

/**
 * One published kind of error. Implemented by enums only; numbers are never reused.
 *
 * <p>The text form is {@code TM-<number> <NAME>}, for example {@code TM-1201 OUT_OF_INTERFACES}.
 */
public interface ErrorCode {
  /** Who has to react to the error, and how. */
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

  /**
   * The published properties of a code.
   *
   * @param number never reused
   * @param kind the reaction that it requires
   * @param remedy what a person can do, in one sentence
   */
  record Meaning(int number, Kind kind, String remedy) {}

  /** Its published properties; constant. */
  Meaning meaning();

  /** The enum constant's name. */
  String name();

  /** The published number. */
  default int number() {
    return meaning().number();
  }

  /** The reaction that it requires. */
  default Kind kind() {
    return meaning().kind();
  }

  /** The remedy, one sentence. */
  default String remedy() {
    return meaning().remedy();
  }

  /** {@code TM-<number>} with four digits, the form that JSON output and metrics carry. */
  default String label() {
    String digits = Integer.toString(number());
    return "TM-" + "0".repeat(Math.max(0, 4 - digits.length())) + digits;
  }
}
