package io.tidemark.node;

import java.util.OptionalLong;

/** The earlier of two monotonic instants. Pure. */
final class Earliest {
  private Earliest() {}

  /** {@code candidate} replaces {@code known} when it is earlier and after {@code now}. */
  static OptionalLong of(OptionalLong known, OptionalLong candidate, long now) {
    if (candidate.isEmpty() || candidate.getAsLong() - now <= 0) {
      return known;
    }
    return known.isEmpty() || candidate.getAsLong() - known.getAsLong() < 0 ? candidate : known;
  }
}
