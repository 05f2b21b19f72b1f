package io.tidemark.node;

import io.tidemark.spi.Blocked;
import io.tidemark.spi.Inventory;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a node stood after its last turn, for other threads. Written on the node's lane, read
 * anywhere.
 */
final class PublishedStanding {
  private final NodeManagerConfig config;
  private final Lane lane;
  private final Consumer<Standing> heard;
  private volatile Standing standing = Standing.UNKNOWN;

  /** What the node is at rest with; a scan of ten thousand nodes looks at nothing else of them. */
  private volatile Inventory.@Nullable Known calmWith;

  /** {@code heard} hears every change, on the lane. */
  PublishedStanding(NodeManagerConfig config, Lane lane, Consumer<Standing> heard) {
    this.config = config;
    this.lane = lane;
    this.heard = heard;
  }

  /** How it stood after the last turn; any thread. */
  Standing standing() {
    return standing;
  }

  /** Whether it is at rest with just this inventory; any thread. */
  boolean isCalmWith(Inventory inventory) {
    Inventory.Known calm = calmWith;
    return calm != null && calm.equals(inventory);
  }

  /**
   * Tells how it stands now.
   *
   * @param blocked why it cannot go on
   * @param matter what a person must look after although the node goes on
   * @param waiting whether a wake-up by time is due that will do something
   */
  void publish(
      NodeView view, Optional<Blocked> blocked, Optional<Blocked> matter, boolean waiting) {
    NodeSnapshot now = view.snapshot();
    NodeStatistics statistics =
        now == null ? standing.statistics().written(view.facts()) : now.statistics();
    Standing next =
        StandingRule.of(
            config,
            statistics,
            now == null ? standing.pods() : PodCapacity.of(now),
            blocked,
            matter,
            view.handshake(),
            view.givingBackCidrs(),
            waiting);
    lane.deficit(statistics.needed());
    calmWith =
        now != null
                && next.state() == NodeState.OK
                && !next.waiting()
                && statistics.drain().replacing() == 0 // it hangs on more than the inventory
            ? now.inventory()
            : null;
    if (!next.equals(standing)) {
      standing = next;
      heard.accept(next);
    }
  }
}
