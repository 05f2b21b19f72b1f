package io.tidemark.node;

import io.tidemark.resilience.Priority;

/** How urgently a node wants a token (docs/architecture.md). Pure. */
final class NodePriority {
  private NodePriority() {}

  /**
   * Pods that wait on a node which had addresses and has none free come first; otherwise the share
   * of its target that a node lacks decides.
   */
  static Priority of(NodeSnapshot now, boolean hadAddresses) {
    NodeStatistics statistics = now.statistics();
    if (statistics.needed() == 0 && statistics.drain().replacing() > 0) {
      return Priority.of(Priority.Rank.RELEASE); // what is there serves the pods
    }
    int pending = now.pendingPods().orElse(0);
    int free = statistics.available() - statistics.used();
    double target = Math.max(1.0, (double) statistics.available() + statistics.needed());
    double deficit = (statistics.needed() + Math.max(0.0, pending)) / target;
    boolean podsWait = hadAddresses && pending > 0 && free <= 0;
    return new Priority(
        podsWait ? Priority.Rank.PODS_WAITING : Priority.Rank.BELOW_WATERMARK, deficit);
  }
}
