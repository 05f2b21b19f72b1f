package io.tidemark.node;

import io.tidemark.resource.NodeResource;
import java.time.Duration;

/**
 * Holds back the first status of a node without addresses while the first pass is under way: nobody
 * can use it before there are some, and then one write says both. Ends by itself after {@link
 * #LONGEST}. Confined to the node's lane.
 */
final class FirstWrite {
  /** So long may a first pass keep the status from those who look at the node. */
  static final Duration LONGEST = Duration.ofSeconds(30);

  private final NodeParts node;
  private final Alarm alarm;
  private boolean open;
  private boolean held;

  /**
   * Of one node.
   *
   * @param resource what the node begins with
   * @param tooLong called on the lane when the pass has not ended in time
   */
  FirstWrite(NodeParts node, NodeResource resource, Runnable tooLong) {
    this.node = node;
    this.open = resource.pool().isEmpty();
    this.alarm =
        new Alarm(node.environment().ports().scheduler(), () -> node.lane().execute(tooLong));
  }

  /** Whether {@code picture} is not worth a write yet; to be asked before each. */
  boolean holds(NodeSnapshot picture) {
    open = open && picture.statistics().available() == 0 && picture.statistics().needed() > 0;
    if (!open) {
      end();
    } else if (!held) {
      held = true;
      alarm.noLaterThan(node.environment().now() + LONGEST.toNanos());
    }
    return held;
  }

  /**
   * Holds nothing back any more.
   *
   * @return whether a write was held back, which is due now
   */
  boolean end() {
    boolean due = held;
    open = false;
    held = false;
    alarm.cancel();
    return due;
  }
}
