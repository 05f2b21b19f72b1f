package io.tidemark.ip;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable set of addresses written as the fewest disjoint CIDR blocks that cover exactly them,
 * ascending. Two sets of the same addresses are equal, however they were put together. Usable from
 * any thread. Questions about one address or block take logarithmic time.
 */
public final class CidrSet implements Iterable<Cidr> {
  private static final CidrSet EMPTY = new CidrSet(List.of());

  /** Ascending, disjoint, no two of them the halves of one wider block. */
  private final Cidr[] blocks;

  private CidrSet(Collection<Cidr> ascending) {
    this.blocks = ascending.toArray(Cidr[]::new);
  }

  /** The empty set. */
  public static CidrSet of() {
    return EMPTY;
  }

  /** The addresses of these blocks, which may overlap. */
  public static CidrSet copyOf(Collection<Cidr> blocks) {
    return blocks.isEmpty() ? EMPTY : merged(new ArrayList<>(blocks));
  }

  public boolean isEmpty() {
    return blocks.length == 0;
  }

  @Override
  public Iterator<Cidr> iterator() {
    return List.of(blocks).iterator();
  }

  public boolean contains(IpAddress address) {
    return contains(Cidr.single(address));
  }

  /** True when every address of {@code block} is in this set. */
  public boolean contains(Cidr block) {
    int before = countUpTo(block) - 1;
    return before >= 0 && blocks[before].contains(block);
  }

  /** True when an address of {@code block} is in this set. */
  public boolean overlaps(Cidr block) {
    int after = countUpTo(block);
    return (after > 0 && blocks[after - 1].overlaps(block))
        || (after < blocks.length && block.contains(blocks[after]));
  }

  public CidrSet plus(Cidr block) {
    return plus(new CidrSet(List.of(block)));
  }

  public CidrSet plus(CidrSet other) {
    List<Cidr> both = new ArrayList<>(blocks.length + other.blocks.length);
    both.addAll(Arrays.asList(blocks));
    both.addAll(Arrays.asList(other.blocks));
    return merged(both);
  }

  public CidrSet minus(Cidr block) {
    List<Cidr> rest = new ArrayList<>();
    for (Cidr each : blocks) {
      addRest(each, block, rest);
    }
    return copyOf(rest);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CidrSet set && Arrays.equals(blocks, set.blocks);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(blocks);
  }

  /** The blocks in brackets. */
  @Override
  public String toString() {
    return Arrays.toString(blocks);
  }

  /** How many blocks sort before {@code block} or are equal to it. */
  private int countUpTo(Cidr block) {
    int found = Arrays.binarySearch(blocks, block);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /** Halves {@code block} until each part is wholly in {@code removed} or wholly outside. */
  private static void addRest(Cidr block, Cidr removed, List<Cidr> rest) {
    if (!removed.overlaps(block)) {
      rest.add(block);
    } else if (!removed.contains(block)) {
      for (Cidr half : block.subnets(block.prefixLength() + 1)) {
        addRest(half, removed, rest);
      }
    }
  }

  private static CidrSet merged(List<Cidr> blocks) {
    blocks.sort(null);
    List<Cidr> kept = new ArrayList<>(blocks.size());
    for (Cidr block : blocks) {
      if (!kept.isEmpty() && kept.get(kept.size() - 1).contains(block)) {
        continue;
      }
      Cidr widest = block;
      while (!kept.isEmpty() && areHalves(kept.get(kept.size() - 1), widest)) {
        widest = kept.remove(kept.size() - 1).parent().orElseThrow();
      }
      kept.add(widest);
    }
    return new CidrSet(kept);
  }

  private static boolean areHalves(Cidr lower, Cidr upper) {
    return lower.prefixLength() == upper.prefixLength()
        && lower.family() == upper.family()
        && lower.parent().equals(upper.parent());
  }
}
