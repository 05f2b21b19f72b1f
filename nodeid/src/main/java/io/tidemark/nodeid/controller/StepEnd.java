package io.tidemark.nodeid.controller;

import java.util.Objects;
import java.util.Optional;

/**
 * How a request ended.
 *
 * @param detail why, where it did not succeed
 * @param next a read that comes before the next step
 */
record StepEnd(Kind kind, String detail, Optional<StepRequest<?>> next) {
  /** The ledger knows more than before. */
  static final StepEnd DONE = of(Kind.DONE, "");

  /** The consequence. */
  enum Kind {
    /** The next step. */
    DONE,
    /** Nothing changed: the next step after a pause. */
    AGAIN,
    /** Something may have changed: likewise. */
    UNKNOWN,
    /** A permission is missing: likewise, and people are told. */
    REFUSED
  }

  StepEnd {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(detail, "detail");
    Objects.requireNonNull(next, "next");
  }

  static StepEnd of(Kind kind, String detail) {
    return new StepEnd(kind, detail, Optional.empty());
  }

  static StepEnd unknown(String detail) {
    return of(Kind.UNKNOWN, detail);
  }

  /** The same, and this read before the next step. */
  StepEnd then(StepRequest<?> read) {
    return new StepEnd(kind, detail, Optional.of(read));
  }
}
