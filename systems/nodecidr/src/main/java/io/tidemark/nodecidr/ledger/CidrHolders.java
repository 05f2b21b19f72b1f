package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * CIDRs of any length and who holds them: several may hold the same one, or overlapping ones. What
 * overlaps a CIDR is found without looking at the others.
 *
 * <p>Mutable and not thread-safe: it has one owner.
 */
final class CidrHolders<H> {
  /** Immutable lists; a CIDR sorts directly before those inside it. */
  private final NavigableMap<Cidr, List<H>> holders = new TreeMap<>();

  /** How many have which prefix length, by family: only these can contain another. */
  private final int[][] lengths = {
    new int[IpFamily.IPV4.bits() + 1], new int[IpFamily.IPV6.bits() + 1]
  };

  private int[] lengths(Cidr cidr) {
    return lengths[cidr.family() == IpFamily.IPV4 ? 0 : 1];
  }

  List<H> of(Cidr cidr) {
    return holders.getOrDefault(cidr, List.of());
  }

  /** Adds a holder; false when it holds this CIDR already. */
  boolean add(Cidr cidr, H holder) {
    List<H> before = of(cidr);
    if (before.contains(holder)) {
      return false;
    }
    lengths(cidr)[cidr.prefixLength()] += before.isEmpty() ? 1 : 0;
    holders.put(
        cidr,
        before.isEmpty()
            ? List.of(holder)
            : Stream.concat(before.stream(), Stream.of(holder)).toList());
    return true;
  }

  /** Removes a holder; false when it does not hold this CIDR. */
  boolean remove(Cidr cidr, H holder) {
    List<H> left = new ArrayList<>(of(cidr));
    if (!left.remove(holder)) {
      return false;
    }
    if (left.isEmpty()) {
      lengths(cidr)[cidr.prefixLength()]--;
      holders.remove(cidr);
    } else {
      holders.put(cidr, List.copyOf(left));
    }
    return true;
  }

  /**
   * Hands over each CIDR that shares an address with this one, and its holders: wider ones first.
   */
  void forEachOverlapping(Cidr cidr, BiConsumer<Cidr, List<H>> visitor) {
    for (int length = 0; length < cidr.prefixLength(); length++) {
      if (lengths(cidr)[length] > 0) {
        Cidr wider = Cidr.containing(cidr.network(), length);
        List<H> found = of(wider);
        if (!found.isEmpty()) {
          visitor.accept(wider, found);
        }
      }
    }
    for (Map.Entry<Cidr, List<H>> inside : holders.tailMap(cidr, true).entrySet()) {
      if (!cidr.contains(inside.getKey())) {
        break;
      }
      visitor.accept(inside.getKey(), inside.getValue());
    }
  }
}
