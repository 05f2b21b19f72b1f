package io.tidemark.spi;

import io.tidemark.error.ErrorCode;

/**
 * Where a provider reports problems of the whole operator rather than of one node, such as a
 * cluster without a name. Thread-safe; never blocks, never throws. A problem is reported once and
 * stays open until the operator ends.
 */
@FunctionalInterface
public interface OperatorNotices {
  /** Ignores everything. */
  OperatorNotices NONE = (code, detail) -> {};

  /**
   * Reports it; a second report of the same code updates the detail.
   *
   * @param code the problem and its remedy
   * @param detail what was found, without a full stop
   */
  void report(ErrorCode code, String detail);
}
