package io.tidemark.resilience;

/**
 * When a call or admission was asked for; it keeps its age through all its attempts.
 *
 * @param nanos monotonic instant
 * @param sequence order among arrivals, also at the same instant
 */
record Arrival(long nanos, long sequence) {}
