package io.tidemark.time;

import java.util.LinkedHashSet;
import java.util.Set;

/** A small growing set of texts that costs nothing while it has one element. */
final class Reasons {
  private Reasons() {}

  /** The set with {@code reason}, unless it is full. */
  static Set<String> with(Set<String> reasons, String reason) {
    if (reasons.isEmpty()) {
      return Set.of(reason);
    }
    if (reasons.size() >= Trigger.MAX_REASONS || reasons.contains(reason)) {
      return reasons;
    }
    Set<String> more =
        reasons instanceof LinkedHashSet<String> ? reasons : new LinkedHashSet<>(reasons);
    more.add(reason);
    return more;
  }
}
