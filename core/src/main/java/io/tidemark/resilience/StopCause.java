package io.tidemark.resilience;

/** Why a call is ended from outside. */
enum StopCause {
  /** Its owner no longer wants it. */
  CANCELLED,
  /** Its time is over. */
  DEADLINE
}
