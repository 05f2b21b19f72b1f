package io.tidemark.spi;

import io.tidemark.error.ErrorCode;

/**
 * Where a provider tells a person what concerns the whole operator and no node in particular, such
 * as a cluster without a name. Thread-safe; never blocks, never throws. A matter is told once and
 * stays open until the operator ends.
 */
@FunctionalInterface
public interface OperatorNotices {
  /** Nobody listens. */
  OperatorNotices NONE = (code, detail) -> {};

  /**
   * Tells it; a second time it is the same matter, with its newest detail.
   *
   * @param code what is wrong, with its remedy
   * @param detail what was found, no sentence's end
   */
  void report(ErrorCode code, String detail);
}
