package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Why no node gets blocks now: another program assigns CIDRs to nodes, or a node cannot be read.
 * The former lasts until that program has not written for a while: five minutes, twice as long in
 * each episode up to an hour. Thread-safe; time is a parameter.
 */
final class AllocationPause {
  private static final long SHORTEST_NANOS = Duration.ofMinutes(5).toNanos();
  private static final long LONGEST_NANOS = Duration.ofHours(1).toNanos();
  private static final long FORGET_NANOS = 2 * LONGEST_NANOS;
  private static final int DOUBLINGS = 4;

  private final String manager;
  private @Nullable NodeProblem second;

  private boolean begun;

  private int episodes;
  private long seenNanos;
  private long untilNanos;

  /** Names of nodes that cannot be read and could not before: nobody knows what they have. */
  private final TreeSet<String> unread = new TreeSet<>();

  /** {@code manager} is by which the server records our own writes. */
  AllocationPause(String manager) {
    this.manager = manager;
  }

  /** The CIDRs of a node were written, by whom the server records as {@code writer}. */
  synchronized void wrote(String node, String writer, long now) {
    if (writer.equals(manager)) {
      return;
    }
    if (second == null) {
      boolean forgotten = episodes > 0 && now - seenNanos > FORGET_NANOS;
      episodes = forgotten ? 1 : Math.min(DOUBLINGS + 1, episodes + 1);
      begun = true;
      second =
          new NodeProblem(
              NodeCidrError.SECOND_ALLOCATOR,
              writer + " assigned CIDRs to node " + node + ", so no node gets any");
    }
    seenNanos = now;
    untilNanos = now + Math.min(LONGEST_NANOS, SHORTEST_NANOS << (episodes - 1));
  }

  /** Whether an episode of another program has begun; true once for each. */
  synchronized boolean takeBegun() {
    boolean taken = begun;
    begun = false;
    return taken;
  }

  /** When the episode ends, if nothing else is written. */
  synchronized long untilNanos() {
    return untilNanos;
  }

  /** Whether the episode ends now; true once for each. */
  synchronized boolean ends(long now) {
    if (second == null || untilNanos - now > 0) {
      return false;
    }
    second = null;
    return true;
  }

  /** A node cannot be read, and what it has is not known from before. */
  synchronized void unread(String name) {
    unread.add(name);
  }

  /** A node can be read, or is gone; whether that ends the pause. */
  synchronized boolean read(String name) {
    return unread.remove(name) && reason().isEmpty();
  }

  /** Why nothing may be assigned now; empty when it may. */
  synchronized Optional<NodeProblem> reason() {
    if (second != null || unread.isEmpty()) {
      return Optional.ofNullable(second);
    }
    return Optional.of(
        new NodeProblem(
            NodeCidrError.CIDR_UNREADABLE,
            "node " + unread.first() + " cannot be read, so its CIDRs are not known"));
  }
}
