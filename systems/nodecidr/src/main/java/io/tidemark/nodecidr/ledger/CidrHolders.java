package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * CIDRs of any length and who holds them: several may hold the same one, or overlapping ones. What
 * overlaps a CIDR is found without looking at the others.
 *
 * <p>Mutable and not thread-safe: it has one owner.
 */
final class CidrHolders<H> {
  /** A CIDR sorts directly before those inside it. */
  private final NavigableMap<Cidr, Set<H>> holders = new TreeMap<>();

  /** How many have which prefix length, by family: only these can contain another. */
  private final int[][] lengths = {
    new int[IpFamily.IPV4.bits() + 1], new int[IpFamily.IPV6.bits() + 1]
  };

  private int[] lengths(Cidr cidr) {
    return lengths[cidr.family() == IpFamily.IPV4 ? 0 : 1];
  }

  private Set<H> of(Cidr cidr) {
    return holders.getOrDefault(cidr, Set.of());
  }

  /** Adds a holder; false when it holds this CIDR already. */
  boolean add(Cidr cidr, H holder) {
    lengths(cidr)[cidr.prefixLength()] += of(cidr).isEmpty() ? 1 : 0;
    return holders.computeIfAbsent(cidr, key -> new LinkedHashSet<>(2)).add(holder);
  }

  /** Removes a holder; false when it does not hold this CIDR. */
  boolean remove(Cidr cidr, H holder) {
    Set<H> left = of(cidr);
    if (!left.contains(holder)) {
      return false;
    }
    left.remove(holder);
    if (left.isEmpty()) {
      lengths(cidr)[cidr.prefixLength()]--;
      holders.remove(cidr);
    }
    return true;
  }

  /**
   * Hands over each CIDR that shares an address with this one, and its holders: wider ones first.
   */
  void forEachOverlapping(Cidr cidr, BiConsumer<Cidr, Set<H>> visitor) {
    for (int length = 0; length < cidr.prefixLength(); length++) {
      if (lengths(cidr)[length] > 0) {
        Cidr wider = Cidr.containing(cidr.network(), length);
        Set<H> found = of(wider);
        if (!found.isEmpty()) {
          visitor.accept(wider, found);
        }
      }
    }
    for (Map.Entry<Cidr, Set<H>> inside : holders.tailMap(cidr, true).entrySet()) {
      if (!cidr.contains(inside.getKey())) {
        break;
      }
      visitor.accept(inside.getKey(), inside.getValue());
    }
  }
}
