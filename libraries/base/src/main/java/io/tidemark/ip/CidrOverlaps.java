package io.tidemark.ip;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which of many CIDRs share addresses with one of another holder. One sort and one pass: the work
 * does not grow with the number of pairs, which is the square of the number of CIDRs where all are
 * the same. Stateless.
 */
public final class CidrOverlaps {
  /** A CIDR and who holds it. */
  public record Held<H>(Cidr cidr, H holder) {}

  /**
   * A CIDR that shares addresses with one of another holder.
   *
   * @param other the same CIDR of another holder, or a wider or finer one
   * @param more how many further holders the CIDR has, when {@code other} is the same one
   */
  public record Overlap<H>(Held<H> held, Held<H> other, int more) {}

  private CidrOverlaps() {}

  /**
   * The overlaps, in the order of the CIDRs. Each CIDR of a holder is reported at most twice: with
   * the same one of another holder, and with the nearest wider or the first finer one.
   */
  public static <H> List<Overlap<H>> of(Collection<Held<H>> all) {
    TreeMap<Cidr, Group<H>> groups = new TreeMap<>();
    all.forEach(each -> groups.computeIfAbsent(each.cidr(), Group::new).holders.add(each.holder()));
    @Nullable Group<H> before = null;
    for (Group<H> group : groups.values()) {
      @Nullable Group<H> around = before;
      while (around != null && !around.cidr.contains(group.cidr)) {
        around = around.around;
      }
      group.around = around;
      group.tellThoseAround();
      before = group;
    }
    List<Overlap<H>> found = new ArrayList<>();
    for (Group<H> group : groups.values()) {
      for (H holder : group.holders) {
        Held<H> held = new Held<>(group.cidr, holder);
        int more = group.holders.size() - 2;
        group.other(holder).ifPresent(other -> found.add(new Overlap<>(held, other, more)));
        group.nested(holder).ifPresent(other -> found.add(new Overlap<>(held, other, 0)));
      }
    }
    return found;
  }

  /** The holders of one CIDR. */
  private static final class Group<H> {
    final Cidr cidr;
    final Set<H> holders = new LinkedHashSet<>();

    /** The nearest wider CIDR; null when there is none. */
    @Nullable Group<H> around;

    /** The first finer CIDRs of two holders. */
    private final List<Held<H>> inside = new ArrayList<>(2);

    Group(Cidr cidr) {
      this.cidr = cidr;
    }

    /** This CIDR with the first holder but one. */
    Optional<Held<H>> other(H but) {
      return holders.stream()
          .filter(each -> !each.equals(but))
          .findFirst()
          .map(each -> new Held<>(cidr, each));
    }

    /** A wider CIDR of another holder, else a finer one. */
    Optional<Held<H>> nested(H but) {
      for (Group<H> wider = around; wider != null; wider = wider.around) {
        Optional<Held<H>> other = wider.other(but);
        if (other.isPresent()) {
          return other;
        }
      }
      return inside.stream().filter(each -> !each.holder().equals(but)).findFirst();
    }

    void tellThoseAround() {
      for (Group<H> wider = around; wider != null; wider = wider.around) {
        for (H holder : holders) {
          if (wider.inside.size() == 2) {
            break;
          }
          if (wider.inside.isEmpty() || !wider.inside.get(0).holder().equals(holder)) {
            wider.inside.add(new Held<>(cidr, holder));
          }
        }
      }
    }
  }
}
