package io.tidemark.simulation;

import java.util.HashMap;
import java.util.Map;

/**
 * Who wrote which object last, to check a node that is blocked because of a second owner: one must
 * have written since this operator took over (O1). A write that a dead operator left on the way
 * does not count as a second owner's after an election; without one it may.
 */
final class SecondOwners {
  private final Violations violations;
  private final Map<String, Map<String, Long>> writes = new HashMap<>();

  SecondOwners(Violations violations) {
    this.violations = violations;
  }

  /** An operator that may still be at work changed the object. */
  void wrote(String node, String operator, long nanos) {
    writes.computeIfAbsent(node, any -> new HashMap<>()).put(operator, nanos);
  }

  /**
   * {@code operator}, at work since {@code sinceNanos}, reports that another one writes the node.
   */
  void blocked(String node, String operator, long sinceNanos) {
    boolean another =
        writes.getOrDefault(node, Map.of()).entrySet().stream()
            .anyMatch(each -> !each.getKey().equals(operator) && each.getValue() >= sinceNanos);
    if (!another) {
      violations.add("O1", node, operator + " sees a second owner, and none has written");
    }
  }
}
