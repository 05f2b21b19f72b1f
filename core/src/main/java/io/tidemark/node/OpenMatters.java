package io.tidemark.node;

import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a person was told of one node, so that it is told once: a node that tries again stands
 * unblocked for a moment, which mends nothing. Confined to the node's lane.
 */
final class OpenMatters {
  private final String node;
  private final NodeEvents events;
  private final Set<BlockedReason> open = EnumSet.noneOf(BlockedReason.class);

  OpenMatters(String node, NodeEvents events) {
    this.node = node;
    this.events = events;
  }

  /** The node stands like this now. */
  void stands(Standing now) {
    now.blocked().ifPresent(this::blocked);
    boolean served = now.state() == NodeState.OK || now.state() == NodeState.RELEASING;
    if (served && now.blocked().isEmpty()) {
      clear();
    }
  }

  /** The node is gone, or begins anew. */
  void clear() {
    for (BlockedReason reason : open) {
      events.cleared(node, reason);
    }
    open.clear();
  }

  private void blocked(Blocked why) {
    if (NodeEvents.isForPerson(why.reason()) && open.add(why.reason())) {
      events.report(node, why);
    }
  }
}
