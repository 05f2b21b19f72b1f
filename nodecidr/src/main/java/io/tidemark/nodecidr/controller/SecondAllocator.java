package io.tidemark.nodecidr.controller;

import io.tidemark.nodecidr.controller.NodeReport.Matter;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import java.time.Duration;
import java.util.Optional;

/**
 * Notices that another program assigns CIDRs to nodes, and stops assignment until it has not
 * written for a while: five minutes, twice as long in each episode up to an hour. Thread-safe.
 */
final class SecondAllocator {
  private static final long SHORTEST_NANOS = Duration.ofMinutes(5).toNanos();
  private static final long LONGEST_NANOS = Duration.ofHours(1).toNanos();
  private static final long FORGET_NANOS = 2 * LONGEST_NANOS;
  private static final int DOUBLINGS = 4;

  private Optional<Matter> matter = Optional.empty();
  private boolean paused;
  private int episodes;
  private long seenNanos;
  private long untilNanos;

  /**
   * Another program wrote the CIDRs of a node.
   *
   * @param writer by which the server records it
   * @return whether that begins an episode
   */
  synchronized boolean wrote(String node, String writer, long now) {
    boolean begins = !paused;
    if (begins) {
      boolean forgotten = episodes > 0 && now - seenNanos > FORGET_NANOS;
      episodes = forgotten ? 1 : Math.min(DOUBLINGS + 1, episodes + 1);
      paused = true;
      matter =
          Optional.of(
              new Matter(
                  NodeCidrError.SECOND_ALLOCATOR,
                  writer + " assigned CIDRs to node " + node + ", so no node gets any"));
    }
    seenNanos = now;
    untilNanos = now + Math.min(LONGEST_NANOS, SHORTEST_NANOS << (episodes - 1));
    return begins;
  }

  /** Why nothing may be assigned now; empty when it may. */
  synchronized Optional<Matter> pause() {
    return matter;
  }

  /** When the pause ends, if nothing else is written. */
  synchronized long untilNanos() {
    return untilNanos;
  }

  /** Whether the pause ends now; true once for each. */
  synchronized boolean ends(long now) {
    if (!paused || untilNanos - now > 0) {
      return false;
    }
    paused = false;
    matter = Optional.empty();
    return true;
  }
}
