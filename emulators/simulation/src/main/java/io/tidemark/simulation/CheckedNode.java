package io.tidemark.simulation;

import io.tidemark.simulation.agent.SimulatedAgent;
import io.tidemark.simulation.cloud.CloudInterface;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One node as it was last checked. */
final class CheckedNode {
  private List<CloudInterface> attached = List.of();
  private List<CloudInterface> usable = List.of();
  private @Nullable SimulatedAgent agent;
  private long usedChanges;

  List<CloudInterface> attached() {
    return attached;
  }

  /** Remembers what is attached; returns what was, null when it is the same. */
  @SuppressWarnings("ReferenceEquality")
  @Nullable List<CloudInterface> changeTo(List<CloudInterface> now) {
    if (now == attached) {
      return null;
    }
    List<CloudInterface> before = attached;
    attached = now;
    return before;
  }

  /** Remembers who uses what; returns whether it is the same as before. */
  @SuppressWarnings("ReferenceEquality")
  boolean isSameUse(SimulatedAgent now) {
    boolean same = usable == attached && agent == now && usedChanges == now.usedChanges();
    usable = attached;
    agent = now;
    usedChanges = now.usedChanges();
    return same;
  }
}
