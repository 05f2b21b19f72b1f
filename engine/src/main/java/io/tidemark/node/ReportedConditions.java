package io.tidemark.node;

import io.tidemark.cluster.ObjectEvents;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The conditions of one node that were reported to people, so that each is reported once. A node
 * that tries again is unblocked for a moment; that clears no condition. Confined to the node's
 * lane.
 */
final class ReportedConditions {
  private final String node;
  private final ObjectEvents events;
  private final Set<BlockedReason> open = EnumSet.noneOf(BlockedReason.class);

  ReportedConditions(String node, ObjectEvents events) {
    this.node = node;
    this.events = events;
  }

  /** Reports what is new in the current state, and clears what is over. */
  void observe(Standing now) {
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
