package io.tidemark.provider.azure.ipam;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Configurations of ours that the model of one instance has and its interfaces do not show, after
 * an operation that failed (Z18). One that this process made is a ghost at once; any other may be
 * one that a list does not show yet, and is a ghost after a horizon. Thread-safe.
 */
final class Ghosts {
  private final Duration horizon;
  private final Map<String, Long> unshownSince = new HashMap<>();
  private final Set<String> failed = new HashSet<>();

  Ghosts(Duration horizon) {
    this.horizon = horizon;
  }

  /** The operation that was to add these has ended, and a read does not show them. */
  synchronized void failed(Collection<String> names) {
    failed.addAll(names);
  }

  synchronized void shown(Set<String> names) {
    unshownSince.keySet().removeAll(names);
    failed.removeAll(names);
  }

  /** Those of the names that a write can drop. */
  synchronized Set<String> among(Set<String> unshown, long nowNanos) {
    unshownSince.keySet().retainAll(unshown);
    failed.retainAll(unshown);
    Set<String> ghosts = new HashSet<>();
    for (String name : unshown) {
      long since = unshownSince.computeIfAbsent(name, first -> nowNanos);
      if (failed.contains(name) || nowNanos - since >= horizon.toNanos()) {
        ghosts.add(name);
      }
    }
    return ghosts;
  }
}
