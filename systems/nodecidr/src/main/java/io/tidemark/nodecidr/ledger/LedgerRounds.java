package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A leader's knowledge from the one before it, and its note for the next one: how far into each
 * range blocks were given out. Under the lock of its {@link CidrLedger}; any thread may call.
 */
public final class LedgerRounds {
  private final Object lock;
  private final CidrLayers layers;
  private boolean withheld;
  private long withheldUntil;

  /**
   * How far the search through a range has come.
   *
   * @param blockLength prefix length of the blocks
   * @param blocks how many there are
   * @param cursor the block at which the next search begins
   * @param frontier what a next leader was told: at or above this block none was given out or seen
   *     on a node; the number of blocks when there is no such place
   * @param withheld free blocks that are not given out since a former leader's writes may arrive
   * @param allocations how often a block was taken since the start, counted as the Kubernetes
   *     controller manager counts: each block for itself, whatever took it
   * @param releases how often one was given back
   */
  public record RangeRound(
      Cidr range,
      int blockLength,
      long blocks,
      long cursor,
      long frontier,
      long withheld,
      long allocations,
      long releases) {}

  LedgerRounds(Object lock, CidrLayers layers) {
    this.lock = lock;
    this.layers = layers;
  }

  /**
   * Gives out blocks from a position on alone before a time: a former leader's writes may arrive
   * until then, and none of them bears such a block. Of a range that has no position nothing is
   * given out.
   */
  public void withholdUntil(long nanos, Map<Cidr, Long> from) {
    synchronized (lock) {
      withheld = true;
      withheldUntil = nanos;
      for (LedgerRange it : layers.ranges()) {
        it.withholdBelow(from.getOrDefault(it.space.range(), it.space.capacity()));
      }
    }
  }

  /** Whether a former leader's writes may still arrive; else everything may be given out. */
  public boolean isWithheld(long now) {
    synchronized (lock) {
      if (withheld && withheldUntil - now <= 0) {
        withheld = false;
        layers.ranges().forEach(LedgerRange::release);
      }
      return withheld;
    }
  }

  /** Searches go on at these positions, by range. */
  public void resumeAt(Map<Cidr, Long> cursors) {
    synchronized (lock) {
      for (LedgerRange it : layers.ranges()) {
        long cursor = cursors.getOrDefault(it.space.range(), 0L);
        it.space.seek(cursor < it.space.capacity() ? cursor : 0);
      }
    }
  }

  /** From now on nothing is given out that lies beyond what was {@link #published}. */
  public void publishFirst() {
    synchronized (lock) {
      layers.ranges().forEach(LedgerRange::require);
    }
  }

  /**
   * The positions of all ranges that a next leader must know before more is given out, or soon;
   * empty while it knows enough.
   */
  public Optional<Map<Cidr, Long>> due() {
    synchronized (lock) {
      Map<Cidr, Long> positions = new HashMap<>();
      boolean any = false;
      for (LedgerRange it : layers.ranges()) {
        OptionalLong due = it.due();
        any |= due.isPresent();
        positions.put(it.space.range(), due.orElse(it.position()));
      }
      return any ? Optional.of(positions) : Optional.empty();
    }
  }

  /** A next leader can know these positions, by range. */
  public void published(Map<Cidr, Long> positions) {
    synchronized (lock) {
      for (LedgerRange it : layers.ranges()) {
        it.published(positions.getOrDefault(it.space.range(), 0L));
      }
    }
  }

  /** How far each range is, in the order of the families. */
  public List<RangeRound> now(long nanos) {
    synchronized (lock) {
      isWithheld(nanos);
      return layers.rounds();
    }
  }
}
