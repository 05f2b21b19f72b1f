package io.tidemark.node;

import io.tidemark.cluster.ObjectEvents;
import io.tidemark.node.NodeStatistics.PodCapacity;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The conditions of one node that were reported, so that each is reported once. A node that tries
 * again is unblocked for a moment; that clears no condition. Confined to the node's lane.
 */
final class ReportedConditions {
  private static final Logger LOG = LoggerFactory.getLogger(ReportedConditions.class);

  private final String node;
  private final ObjectEvents events;
  private final NodeMeters meters;
  private PodCapacity capacity = PodCapacity.UNKNOWN;
  private final Set<BlockedReason> open = EnumSet.noneOf(BlockedReason.class);

  ReportedConditions(String node, ObjectEvents events, NodeMeters meters) {
    this.node = node;
    this.events = events;
    this.meters = meters;
  }

  /** Reports what is new in the current state, and clears what is over. */
  void observe(NodeStatus now) {
    compare(now.pods());
    now.blocked().ifPresent(this::blocked);
    now.warning().ifPresent(this::blocked);
    Optional<BlockedReason> warning = now.warning().map(Blocked::reason);
    boolean served =
        now.blocked().isEmpty()
            && (now.state() == NodeState.OK || now.state() == NodeState.RELEASING);
    clear(reason -> (served || !reason.stopsNode()) && !warning.equals(Optional.of(reason)));
  }

  /** A kubelet that takes more pods than there can be addresses for is reported once per change. */
  private void compare(PodCapacity now) {
    boolean unknown = now.maxPods().isEmpty() && capacity.maxPods().isEmpty();
    if (unknown || now.equals(capacity)) {
      return;
    }
    capacity = now;
    meters.podCapacity(node, now);
    if (now.promisedInVain() > 0) {
      LOG.warn(
          "The kubelet accepts more pods than the node can have addresses for. node={} max-pods={}"
              + " addresses={} remedy={}",
          node,
          now.maxPods().orElse(0),
          now.addresses(),
          now.advice());
    }
  }

  /** The node is gone, or begins anew. */
  void clear() {
    capacity = PodCapacity.UNKNOWN;
    clear(reason -> true);
  }

  private void clear(Predicate<BlockedReason> over) {
    for (BlockedReason reason : EnumSet.copyOf(open)) {
      if (over.test(reason)) {
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
