package io.tidemark.node;

import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.Optional;

/** Which word describes how a node stands. Pure. */
final class StandingRule {
  private StandingRule() {}

  static Standing of(
      NodeManagerConfig config,
      NodeStatistics statistics,
      PodCapacity pods,
      Optional<Blocked> blocked,
      Optional<Blocked> matter,
      ReleaseHandshake handshake,
      boolean givingBackCidrs,
      boolean waiting) {
    return new Standing(
        statistics,
        pods,
        state(config, statistics, blocked, givingBackCidrs || !handshake.isEmpty()),
        blocked,
        matter,
        handshake.countByWireState(),
        waiting);
  }

  private static NodeState state(
      NodeManagerConfig config,
      NodeStatistics statistics,
      Optional<Blocked> blocked,
      boolean releasing) {
    if (blocked.isPresent() && !passing(blocked.get().reason())) {
      return blocked.get().reason() == BlockedReason.INSTANCE_NOT_RUNNING
          ? NodeState.NOT_RUNNING
          : NodeState.BLOCKED;
    }
    if (statistics.needed() > 0 || blocked.isPresent()) {
      return NodeState.FILLING;
    }
    boolean surplus = config.release().enabled() && statistics.excess() > 0;
    return surplus || releasing ? NodeState.RELEASING : NodeState.OK;
  }

  /** A wait that ends by itself is not a blockade. */
  private static boolean passing(BlockedReason reason) {
    return reason == BlockedReason.BACKING_OFF || reason == BlockedReason.READING_BACK;
  }
}
