package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * CIDRs of any length and who holds them: several may hold the same one, or overlapping ones. What
 * overlaps a CIDR is found without looking at the others.
 *
 * <p>Mutable and not thread-safe: it has one owner.
 */
final class CidrHolders<H> {
  /** The first holder of each; a CIDR sorts directly before those inside it. */
  private final TreeMap<Cidr, H> first = new TreeMap<>();

  /** The others, of the few CIDRs that have some. */
  private final Map<Cidr, List<H>> others = new HashMap<>();

  /** How many of the CIDRs have which prefix length: only these can contain another. */
  private final int[] ipv4Lengths = new int[IpFamily.IPV4.bits() + 1];

  private final int[] ipv6Lengths = new int[IpFamily.IPV6.bits() + 1];

  /** How many CIDRs are held. */
  int size() {
    return first.size();
  }

  /** Who holds exactly this CIDR. */
  List<H> of(Cidr cidr) {
    H sole = first.get(cidr);
    if (sole == null) {
      return List.of();
    }
    List<H> more = others.get(cidr);
    return more == null ? List.of(sole) : Stream.concat(Stream.of(sole), more.stream()).toList();
  }

  /** Adds a holder; false when it holds this CIDR already. */
  boolean add(Cidr cidr, H holder) {
    List<H> before = of(cidr);
    if (before.contains(holder)) {
      return false;
    }
    if (before.isEmpty()) {
      lengths(cidr)[cidr.prefixLength()]++;
      first.put(cidr, holder);
    } else {
      others.computeIfAbsent(cidr, key -> new ArrayList<>()).add(holder);
    }
    return true;
  }

  /** Removes a holder; false when it does not hold this CIDR. */
  boolean remove(Cidr cidr, H holder) {
    List<H> left = new ArrayList<>(of(cidr));
    if (!left.remove(holder)) {
      return false;
    }
    others.remove(cidr);
    if (left.isEmpty()) {
      lengths(cidr)[cidr.prefixLength()]--;
      first.remove(cidr);
    } else {
      first.put(cidr, left.remove(0));
      if (!left.isEmpty()) {
        others.put(cidr, left);
      }
    }
    return true;
  }

  /**
   * Hands over each CIDR that shares an address with this one, and its holders: wider ones first.
   */
  void forEachOverlapping(Cidr cidr, BiConsumer<Cidr, List<H>> visitor) {
    int[] counts = lengths(cidr);
    for (int length = 0; length < cidr.prefixLength(); length++) {
      if (counts[length] > 0) {
        Cidr wider = Cidr.containing(cidr.network(), length);
        List<H> found = of(wider);
        if (!found.isEmpty()) {
          visitor.accept(wider, found);
        }
      }
    }
    @Nullable Cidr inside = first.ceilingKey(cidr);
    while (inside != null && cidr.contains(inside)) {
      visitor.accept(inside, of(inside));
      inside = first.higherKey(inside);
    }
  }

  private int[] lengths(Cidr cidr) {
    return cidr.family() == IpFamily.IPV4 ? ipv4Lengths : ipv6Lengths;
  }
}
