package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private final OfFamily<H> ipv4 = new OfFamily<>(IpFamily.IPV4);
  private final OfFamily<H> ipv6 = new OfFamily<>(IpFamily.IPV6);

  /** The others, of the few CIDRs that have some. */
  private final Map<Cidr, List<H>> others = new HashMap<>();

  /** The CIDRs of one family. */
  private static final class OfFamily<H> {
    /** The first holder of each; a CIDR sorts directly before those inside it. */
    final CidrMap<H> first = new CidrMap<>();

    /** How many have which prefix length: only these can contain another. */
    final int[] lengths;

    OfFamily(IpFamily family) {
      this.lengths = new int[family.bits() + 1];
    }
  }

  private OfFamily<H> ofFamily(Cidr cidr) {
    return cidr.family() == IpFamily.IPV4 ? ipv4 : ipv6;
  }

  /** How many CIDRs are held. */
  int size() {
    return ipv4.first.size() + ipv6.first.size();
  }

  /** Who holds exactly this CIDR. */
  List<H> of(Cidr cidr) {
    H sole = ofFamily(cidr).first.get(cidr);
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
      OfFamily<H> family = ofFamily(cidr);
      family.lengths[cidr.prefixLength()]++;
      family.first.put(cidr, holder);
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
    OfFamily<H> family = ofFamily(cidr);
    if (left.isEmpty()) {
      family.lengths[cidr.prefixLength()]--;
      family.first.remove(cidr);
    } else {
      family.first.put(cidr, left.remove(0));
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
    OfFamily<H> family = ofFamily(cidr);
    for (int length = 0; length < cidr.prefixLength(); length++) {
      if (family.lengths[length] > 0) {
        Cidr wider = Cidr.containing(cidr.network(), length);
        List<H> found = of(wider);
        if (!found.isEmpty()) {
          visitor.accept(wider, found);
        }
      }
    }
    @Nullable Cidr inside = family.first.ceiling(cidr);
    while (inside != null && cidr.contains(inside)) {
      visitor.accept(inside, of(inside));
      inside = family.first.higher(inside);
    }
  }
}
