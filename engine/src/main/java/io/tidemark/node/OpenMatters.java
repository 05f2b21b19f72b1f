package io.tidemark.node;

import io.tidemark.cluster.ObjectEvents;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a person was told of one node, so that it is told once: a node that tries again stands
 * unblocked for a moment, which mends nothing. Confined to the node's lane.
 */
final class OpenMatters {
  private final String node;
  private final ObjectEvents events;
  private final Set<BlockedReason> open = EnumSet.noneOf(BlockedReason.class);

  OpenMatters(String node, ObjectEvents events) {
    this.node = node;
    this.events = events;
  }

  /** The node stands like this now. */
  void stands(Standing now) {
    now.blocked().ifPresent(this::blocked);
    if (now.matter().isPresent()) {
      blocked(now.matter().get());
    } else if (open.remove(BlockedReason.USED_ADDRESS_GONE)) {
      events.cleared(node, BlockedReason.USED_ADDRESS_GONE);
    }
    boolean served = now.state() == NodeState.OK || now.state() == NodeState.RELEASING;
    if (served && now.blocked().isEmpty()) {
      clear(now.matter().map(Blocked::reason));
    }
  }

  /** The node is gone, or begins anew. */
  void clear() {
    clear(Optional.empty());
  }

  private void clear(Optional<BlockedReason> except) {
    for (BlockedReason reason : EnumSet.copyOf(open)) {
      if (!except.equals(Optional.of(reason))) {
        open.remove(reason);
        events.cleared(node, reason);
      }
    }
  }

  /**
   * Whether a problem needs human action. A missing instance id does not: agents write it while
   * they start.
   */
  static boolean isForPerson(BlockedReason reason) {
    return switch (reason.kind()) {
      case USAGE, CONFIGURATION, CAPACITY -> reason != BlockedReason.NO_INSTANCE_ID;
      case RETRYABLE, INTERNAL -> false;
    };
  }

  private void blocked(Blocked why) {
    if (isForPerson(why.reason()) && open.add(why.reason())) {
      events.report(node, why.reason(), why.detail());
    }
  }
}
