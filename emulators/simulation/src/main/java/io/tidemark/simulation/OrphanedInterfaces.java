package io.tidemark.simulation;

import io.tidemark.simulation.cloud.CloudChange;
import io.tidemark.time.EffectSite;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Interfaces that are attached nowhere: since when, and which node they were made for. Judges how
 * operators treat them.
 */
final class OrphanedInterfaces {
  /** An interface in no use is left alone for this long, to be adopted (reliability, I7). */
  private static final long YOUNG_NANOS = 60_000_000_000L;

  /**
   * Most interfaces that are made for one node and attached nowhere: the one under way, and one
   * whose attachment failed and whose deletion failed as well. Repeating a creation makes none.
   */
  private static final int PER_NODE = 2;

  private final Violations violations;
  private final TreeMap<String, Loose> loose = new TreeMap<>();

  private record Loose(long sinceNanos, String node) {}

  OrphanedInterfaces(Violations violations) {
    this.violations = violations;
  }

  /** Ids ascending. */
  Set<String> ids() {
    return Collections.unmodifiableSet(loose.keySet());
  }

  /** Hears a change; {@code by} is the operator's request that made it, if it was one. */
  void changed(CloudChange change, Optional<EffectSite> by, long nowNanos) {
    String id = change.interfaceId();
    String node = by.map(EffectSite::subject).orElse("");
    switch (change.kind()) {
      case INTERFACE_CREATED -> {
        loose.put(id, new Loose(nowNanos, node));
        if (!node.isEmpty()) {
          fewFor(node);
        }
      }
      case INTERFACE_DETACHED -> {
        loose.put(id, new Loose(nowNanos, ""));
        by.ifPresent(site -> violations.add("D1", site.subject(), id + " was detached"));
      }
      case INTERFACE_ATTACHED -> loose.remove(id);
      case INTERFACE_DELETED -> {
        Loose gone = loose.remove(id);
        boolean sweep = by.isPresent() && node.isEmpty();
        if (sweep && gone != null && nowNanos - gone.sinceNanos() < YOUNG_NANOS) {
          violations.add(
              "G1",
              gone.node(),
              id
                  + " was collected "
                  + SimulationReport.millis(nowNanos - gone.sinceNanos())
                  + " s after it was made or detached");
        }
      }
      default -> {}
    }
  }

  private void fewFor(String node) {
    long count = loose.values().stream().filter(each -> each.node().equals(node)).count();
    if (count > PER_NODE) {
      violations.add("T1", node, count + " interfaces were made for it and are attached nowhere");
    }
  }
}
