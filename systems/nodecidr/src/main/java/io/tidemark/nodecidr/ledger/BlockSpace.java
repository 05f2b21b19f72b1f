package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.AddressBitmap;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.SparseBitmap;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one prefix length in one range: which are free, and which comes next. The search
 * goes on behind the block that was allocated last, so that a released block is used again as late
 * as possible. Up to 2<sup>24</sup> blocks have a bit each; a space of more blocks keeps runs of
 * taken ones, and its memory grows with their number.
 *
 * <p>Of more than 2<sup>62</sup> blocks, a part of 2<sup>62</sup> is allocated only: the first of
 * which exclusions leave half, else the one of which they leave most. Nobody reaches the other
 * blocks, so what is occupied there is not counted.
 *
 * <p>Occupying and releasing leave the cursor. What is asked about a CIDR that shares no address
 * with the range ends with an {@link IllegalArgumentException}. Mutable and not thread-safe: it has
 * one owner.
 */
public final class BlockSpace {
  private static final int SPARSE_BITS = 62;

  private final Cidr range;
  private final int blockLength;

  /** The part of the range whose blocks are allocated. */
  private final Cidr part;

  /** The blocks with a bit each; null when there are too many. */
  private final @Nullable AddressBitmap dense;

  /** The blocks when there is no bit for each; empty otherwise. */
  private final SparseBitmap sparse;

  private long cursor;
  private long passedOver;

  private BlockSpace(
      Cidr range, int blockLength, Cidr part, @Nullable AddressBitmap dense, SparseBitmap sparse) {
    this.range = range;
    this.blockLength = blockLength;
    this.part = part;
    this.dense = dense;
    this.sparse = sparse;
  }

  /**
   * All blocks of a length in a range, free, those of exclusions too; where only a part can be
   * allocated, that which suits the exclusions. The length must suit range and family.
   */
  public static BlockSpace of(Cidr range, int blockLength, List<Cidr> exclusions) {
    long blocks = range.subnetCountSaturated(blockLength);
    if (blocks <= AddressBitmap.CAPACITY_MAX) {
      AddressBitmap dense = AddressBitmap.ofCapacity((int) blocks);
      return new BlockSpace(range, blockLength, range, dense, SparseBitmap.ofCapacity(1));
    }
    BlockSpace best = sparse(range, blockLength).without(exclusions);
    Optional<Cidr> next = best.nextPart(exclusions);
    while (next.isPresent() && best.freeCount() < best.capacity() / 2) {
      BlockSpace other = sparse(range, blockLength, next.get()).without(exclusions);
      best = other.freeCount() > best.freeCount() ? other : best;
      next = other.nextPart(exclusions);
    }
    return best.cleared();
  }

  /** All blocks of a length in a range, of which few are taken. */
  static BlockSpace sparse(Cidr range, int blockLength) {
    int partLength = Math.max(range.prefixLength(), blockLength - SPARSE_BITS);
    return sparse(range, blockLength, range.subnet(partLength, 0));
  }

  private static BlockSpace sparse(Cidr range, int blockLength, Cidr part) {
    SparseBitmap none = SparseBitmap.ofCapacity(part.subnetCountSaturated(blockLength));
    return new BlockSpace(range, blockLength, part, null, none);
  }

  private BlockSpace without(List<Cidr> exclusions) {
    exclusions.stream().filter(range::overlaps).forEach(this::occupy);
    return this;
  }

  /** The part behind this one and behind what excludes this one whole; empty at the end. */
  private Optional<Cidr> nextPart(List<Cidr> exclusions) {
    IpAddress last =
        exclusions.stream()
            .filter(each -> each.contains(part))
            .map(Cidr::last)
            .max(Comparator.naturalOrder())
            .orElse(part.last());
    return last.compareTo(range.last()) >= 0
        ? Optional.empty()
        : Optional.of(Cidr.containing(last.plus(1), part.prefixLength()));
  }

  /** The same blocks, all free. */
  BlockSpace cleared() {
    return sparse(range, blockLength, part);
  }

  public Cidr range() {
    return range;
  }

  public int blockLength() {
    return blockLength;
  }

  /** How many blocks can be allocated at most, 2<sup>62</sup> or fewer. */
  public long capacity() {
    return dense == null ? sparse.capacity() : dense.capacity();
  }

  public long freeCount() {
    return dense == null ? sparse.freeCount() : dense.freeCount();
  }

  /** The index of the block at which the next search begins. */
  public long cursor() {
    return cursor;
  }

  /** How many taken blocks the last allocation passed over. */
  public long passedOver() {
    return passedOver;
  }

  void seek(long position) {
    cursor = position;
  }

  /** The index of the block that {@link #allocateNext} would take; -1 for none. Pure. */
  long nextFree() {
    if (dense != null) {
      return dense.nextFreeCyclic((int) cursor).orElse(-1);
    }
    long ahead = sparse.nextFree(cursor);
    return ahead < 0 ? sparse.nextFree(0) : ahead;
  }

  /** How many of the blocks from one index to before another are free. */
  long countFree(long from, long to) {
    return from >= to ? 0 : countFreeFrom(from, to - from);
  }

  /** One more than the index of the last block that shares an address with {@code cidr}. */
  long endIndex(Cidr cidr) {
    return ofBlocks(cidr, Long::sum);
  }

  /**
   * Takes the first free block at or after the cursor, from the start again behind the last one.
   */
  public Optional<Cidr> allocateNext() {
    long position = dense == null ? sparse.takeNext(cursor) : dense.takeNext((int) cursor);
    if (position < 0) {
      return Optional.empty();
    }
    long ahead = position - cursor;
    passedOver = ahead < 0 ? ahead + capacity() : ahead;
    cursor = position + 1 == capacity() ? 0 : position + 1;
    return Optional.of(part.subnet(blockLength, position));
  }

  /** Takes every block that shares an address with a CIDR; how many of them were free. */
  public long occupy(Cidr cidr) {
    return ofBlocks(cidr, this::takeFree);
  }

  /** Gives back every block that shares an address with a CIDR; how many were taken. */
  public long release(Cidr cidr) {
    return ofBlocks(cidr, this::giveBackTaken);
  }

  /** How many of the blocks that share an address with a CIDR are free. */
  public long countFree(Cidr cidr) {
    return ofBlocks(cidr, this::countFreeFrom);
  }

  /** The block that {@code cidr} lies in; itself, when it is as wide as a block or wider. */
  Cidr wholeBlocks(Cidr cidr) {
    return cidr.prefixLength() <= blockLength ? cidr : Cidr.containing(cidr.network(), blockLength);
  }

  @Override
  public String toString() {
    return range + " by /" + blockLength + ", " + (dense == null ? sparse : dense);
  }

  /** The result of an operation on the positions of these blocks. */
  private long ofBlocks(Cidr cidr, LongBinaryOperator fromAndCount) {
    if (!range.overlaps(cidr)) {
      throw new IllegalArgumentException(
          "cidr " + cidr + " is out the range of cluster cidr " + range);
    }
    if (!part.overlaps(cidr)) {
      return 0;
    }
    Cidr inside = cidr.contains(part) ? part : cidr;
    int longest = Math.max(blockLength, inside.prefixLength());
    return fromAndCount.applyAsLong(
        part.subnetIndex(inside, blockLength), inside.subnetCountSaturated(longest));
  }

  private long takeFree(long from, long count) {
    return dense == null ? sparse.takeFree(from, count) : dense.takeFree((int) from, (int) count);
  }

  private long giveBackTaken(long from, long count) {
    return dense == null
        ? sparse.giveBackTaken(from, count)
        : dense.giveBackTaken((int) from, (int) count);
  }

  private long countFreeFrom(long from, long count) {
    return dense == null ? sparse.countFree(from, count) : dense.countFree((int) from, (int) count);
  }
}
