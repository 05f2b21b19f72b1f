package io.tidemark.simulation;

import io.tidemark.resource.NodeResource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Who wrote which object last. A node is blocked because of a second owner only if one has written
 * since this operator took over (O1); a write that a dead operator left on the way does not count
 * as a second owner's after an election, without one it may. And an operator that sees another's
 * pool begins no change of the cloud for a while (O2).
 */
final class SecondOwners {
  /** The shortest pause beside another operator (ADR 0004). */
  private static final long PAUSE_NANOS = Duration.ofSeconds(30).toNanos();

  private final Violations violations;
  private final Map<String, Map<String, Write>> writes = new HashMap<>();

  /** The last write of each object that changed the pool. */
  private final Map<String, Write> pools = new HashMap<>();

  /** The latest of the server's dates of operators' writes of an object, in epoch milliseconds. */
  private final Map<String, Long> dates = new HashMap<>();

  /** An operator's write, and the object after it. */
  private record Write(String operator, long nanos, NodeResource after) {
    boolean isSeenIn(NodeResource seen) {
      return Long.parseLong(seen.resourceVersion()) >= Long.parseLong(after.resourceVersion());
    }
  }

  SecondOwners(Violations violations) {
    this.violations = violations;
  }

  /**
   * An operator that may still be at work changed an object. A write that is dated before another,
   * because the clock was set back, makes the object look restored from a backup; O2 does not count
   * beside it.
   *
   * @param epochMillis when, by the server's clock
   */
  void wrote(
      String operator, NodeResource before, NodeResource after, long nanos, long epochMillis) {
    Write write = new Write(operator, nanos, after);
    writes.computeIfAbsent(after.name(), any -> new HashMap<>()).put(operator, write);
    long latest = dates.merge(after.name(), epochMillis, Math::max);
    if (epochMillis < latest) {
      pools.remove(after.name());
    } else if (!after.pool().equals(before.pool())) {
      pools.put(after.name(), write);
    }
  }

  /**
   * {@code operator}, at work since {@code sinceNanos}, reports that another one writes the node.
   */
  void blocked(String node, String operator, long sinceNanos) {
    boolean another =
        writes.getOrDefault(node, Map.of()).entrySet().stream()
            .anyMatch(
                each -> !each.getKey().equals(operator) && each.getValue().nanos() >= sinceNanos);
    if (!another) {
      violations.add("O1", node, operator + " sees a second owner, and none has written");
    }
  }

  /** {@code operator}, whose store shows this object, begins to change the node in the cloud. */
  void begins(String operator, NodeResource seen, long nanos) {
    Write own = writes.getOrDefault(seen.name(), Map.of()).get(operator);
    Write last = pools.get(seen.name());
    if (own != null
        && last != null
        && isBeside(own, last)
        && last.isSeenIn(seen)
        && nanos - last.nanos() < PAUSE_NANOS) {
      violations.add("O2", seen.name(), operator + " changes the cloud beside " + last.operator());
    }
  }

  /** Whether the pool is another's since an operator's own last write. */
  private static boolean isBeside(Write own, Write last) {
    return last.nanos() > own.nanos() && !last.after().pool().equals(own.after().pool());
  }
}
