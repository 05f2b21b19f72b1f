package io.tidemark.nodecidr.ledger;

import java.util.OptionalLong;

/**
 * One range, and how far into it blocks may be given out, so that a next leader knows which it may
 * give out at once: at or above a published position none was given out or seen on a node. A leader
 * gives out blocks below the position that it has published, and publishes the next one in time.
 * One that has published the end of the range may give out any block, and the next leader must
 * wait.
 *
 * <p>Mutable and not thread-safe: {@link CidrLayers} owns it. Questions change neither this nor the
 * blocks.
 */
final class LedgerRange {
  private static final long AHEAD_MAX = 4_096;
  private static final int PARTS = 16;

  final BlockSpace space;

  long excluded;

  /** How often blocks were taken, and given back. */
  long allocations;

  long releases;
  private final long ahead;

  /** Whether only what lies below the published position is given out. */
  private boolean required;

  private long published;

  /** One more than the last block that was given out or seen on a node. */
  private long reached;

  /** While a former leader's writes may arrive, blocks from here on are given out. */
  private long floor;

  LedgerRange(BlockSpace space) {
    this.space = space;
    this.ahead = Math.min(AHEAD_MAX, Math.max(1, space.capacity() / PARTS));
  }

  /** Whether a block of the range can be given out now. */
  enum Giving {
    YES,
    FULL,
    /** Not before the writes of a former leader can arrive no more. */
    WITHHELD,
    /** Not before the next position is published. */
    UNPUBLISHED
  }

  Giving giving() {
    if (floor >= space.capacity()) {
      return Giving.WITHHELD;
    }
    long next = space.nextFree();
    if (next < 0) {
      return Giving.FULL;
    }
    if (next < floor) {
      return Giving.WITHHELD;
    }
    return isLimited() && (next < space.cursor() || next >= published)
        ? Giving.UNPUBLISHED
        : Giving.YES;
  }

  long givable() {
    if (floor == 0 && !isLimited()) {
      return space.freeCount();
    }
    long from = Math.max(floor, isLimited() || floor > 0 ? space.cursor() : 0);
    return space.countFree(from, isLimited() ? published : space.capacity());
  }

  private boolean isLimited() {
    return required && published < space.capacity();
  }

  /** From now on nothing is given out that was not published first. */
  void require() {
    required = true;
  }

  void reached(long end) {
    reached = Math.max(reached, end);
  }

  /** Until {@link #release} blocks from here on are given out. */
  void withholdBelow(long position) {
    floor = Math.min(position, space.capacity());
    if (floor < space.capacity()) {
      space.seek(floor);
    }
  }

  void release() {
    floor = 0;
  }

  /** The position to publish now; empty while the last one is far enough ahead. */
  OptionalLong due() {
    if (!isLimited()) {
      return OptionalLong.empty();
    }
    long next = space.nextFree();
    long from = Math.max(Math.max(floor, reached), Math.max(next, space.cursor()));
    boolean wraps = next >= 0 && next < space.cursor();
    if (!wraps && published - from > ahead / 2) {
      return OptionalLong.empty();
    }
    boolean far = wraps || space.capacity() - from <= ahead;
    return OptionalLong.of(far ? space.capacity() : from + ahead);
  }

  /** The position that is published; the end of the range when that is not required. */
  long position() {
    return required ? published : space.capacity();
  }

  void published(long position) {
    published = Math.max(published, position);
  }
}
