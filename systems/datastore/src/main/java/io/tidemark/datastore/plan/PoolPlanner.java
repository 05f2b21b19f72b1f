package io.tidemark.datastore.plan;

import static io.tidemark.datastore.plan.PoolNumbers.PER_PREFIX;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.plan.PoolPlan.Growth;
import io.tidemark.demand.GrowthKind;
import io.tidemark.ip.IpFamily;
import java.util.Comparator;
import java.util.Optional;

/**
 * Says what a network card should ask the cloud for and give back. Pure: the same view gives the
 * same plan.
 */
public final class PoolPlanner {
  /** So many above a target stay, so that one pod that comes and goes changes nothing. */
  private static final int BAND = 1;

  private PoolPlanner() {}

  /**
   * The plan for the IPv4 addresses of a card. What is pending counts as free; only a pod that
   * waits for an address now may lead to growth beside it, and to a new interface when there is
   * less than is waited for. While an interface is pending none is created.
   *
   * @param demand requests that found no address since the last plan
   */
  public static PoolPlan plan(
      PoolView view,
      WarmTargets targets,
      PoolLimits limits,
      Pending pending,
      int demand,
      Profile profile) {
    PoolNumbers usable = PoolNumbers.of(view, profile);
    PoolNumbers numbers = usable.plus(pending, profile);
    boolean prefixes = view.mode() == CidrKind.PREFIX;
    boolean waiting = profile == Profile.TIDEMARK && usable.free() == 0 && demand > 0;
    long missing = missing(numbers, targets);
    boolean belowTargets = isLow(numbers, targets, limits, missing, prefixes);
    boolean low = belowTargets || (waiting && numbers.total() < limits.maxPods());
    missing = Math.max(missing, waiting && targets.countAddresses() ? 1 : 0);
    int shortBy = (int) Math.min(Integer.MAX_VALUE, missing);
    if (prefixes) {
      shortBy =
          targets.countAddresses()
              ? PoolNumbers.ceilDiv(missing, PER_PREFIX)
              : (int) Math.max(0, targets.warmPrefix() - numbers.freePrefixes());
    }
    boolean mayCreate = pending.enis().isEmpty() && (belowTargets || demand > pending.cooling());
    return new PoolPlan(
        shortBy,
        over(usable, targets, prefixes, profile),
        low ? growth(view, targets, limits, shortBy, mayCreate) : new Growth.None(),
        askRemoval(view, usable, targets, limits, profile),
        pending);
  }

  /**
   * Whether a shortage may last for a few seconds, so that the pods that come meanwhile need one
   * request and not one each: nobody waits for an address, and enough of the free ones that are
   * wanted are there. That is half of them where targets count addresses, and a quarter, two at
   * least, where pods can use several interfaces: few pods are no reason for another one.
   */
  public static boolean canWait(
      PoolView view, WarmTargets targets, PoolLimits limits, int demand, Profile profile) {
    PoolNumbers usable = PoolNumbers.of(view, profile);
    if (profile != Profile.TIDEMARK
        || view.mode() != CidrKind.SECONDARY
        || demand > 0
        || usable.free() == 0
        || usable.total() < targets.minIp().orElse(0)) {
      return false;
    }
    long wanted =
        targets.countAddresses()
            ? targets.warmIp().orElse(0)
            : (long) limits.slotsPerEni() * targets.warmEni();
    boolean half = targets.countAddresses() && 2 * usable.free() >= wanted;
    return half || (usable.free() >= Math.max(2, wanted / 4) && servingEnis(view) > 1);
  }

  private static long servingEnis(PoolView view) {
    return view.enis().stream().filter(eni -> !eni.excluded() && !eni.draining()).count();
  }

  /** The plan for the IPv6 addresses of a card: one prefix, on its primary interface. */
  public static Growth planIpv6(PoolView view) {
    return view.enis().stream()
        .filter(eni -> eni.spec().deviceNumber() == 0 && !eni.excluded())
        .findFirst()
        .<Growth>map(eni -> hasIpv6(eni) ? new Growth.None() : new Growth.OnEni(eni.spec().id(), 1))
        .orElseGet(Growth.Exhausted::new);
  }

  private static boolean hasIpv6(EniView eni) {
    return eni.cidrs().stream().anyMatch(cidr -> cidr.cidr().family() == IpFamily.IPV6);
  }

  /** Whether a card would have too few, when nobody waits for an address. */
  static boolean isLow(PoolView view, WarmTargets targets, PoolLimits limits, Profile profile) {
    PoolNumbers numbers = PoolNumbers.of(view, profile);
    long missing = missing(numbers, targets);
    return isLow(numbers, targets, limits, missing, view.mode() == CidrKind.PREFIX);
  }

  /** How many addresses the targets that count addresses lack; 0 with others. */
  private static long missing(PoolNumbers numbers, WarmTargets targets) {
    if (!targets.countAddresses()) {
      return 0;
    }
    return Math.max(
        0,
        Math.max(
            targets.warmIp().orElse(0) - numbers.free(),
            targets.minIp().orElse(0) - numbers.total()));
  }

  private static boolean isLow(
      PoolNumbers numbers, WarmTargets targets, PoolLimits limits, long missing, boolean prefixes) {
    if (numbers.total() >= limits.maxPods()) {
      return false;
    }
    if (targets.countAddresses()) {
      return missing > 0;
    }
    long wanted =
        prefixes
            ? (long) PER_PREFIX * targets.warmPrefix()
            : (long) limits.slotsPerEni() * targets.warmEni();
    return numbers.free() < wanted || numbers.free() == 0;
  }

  private static int over(
      PoolNumbers numbers, WarmTargets targets, boolean prefixes, Profile profile) {
    int warm = targets.warmIp().orElse(0);
    int min = targets.minIp().orElse(0);
    long over;
    if (!prefixes) {
      over = Math.min(numbers.free() - warm, numbers.total() - min);
      over = targets.countAddresses() ? over : 0;
    } else if (!targets.countAddresses()) {
      over = numbers.freePrefixes() - targets.warmPrefix();
    } else if (profile == Profile.UPSTREAM) {
      over = numbers.prefixes() - PoolNumbers.ceilDiv(numbers.assigned() + warm, PER_PREFIX);
      over = Math.max(0, Math.min(over, numbers.freePrefixes()));
      over = Math.min(over, numbers.prefixes() - PoolNumbers.ceilDiv(min, PER_PREFIX));
    } else {
      long above = Math.min(numbers.free() - warm, numbers.total() - min);
      over = Math.min(numbers.freePrefixes(), Math.floorDiv(above, PER_PREFIX));
    }
    return (int) Math.max(0, profile == Profile.UPSTREAM ? over : over - BAND);
  }

  private static Growth growth(
      PoolView view, WarmTargets targets, PoolLimits limits, int shortBy, boolean mayCreate) {
    int slots = limits.slotsPerEni();
    int wanted =
        view.mode() == CidrKind.PREFIX
            ? Math.max(1, shortBy)
            : targets.countAddresses() ? shortBy : slots;
    Optional<EniView> roomy = roomy(view, limits);
    if (roomy.isPresent()) {
      int count = Math.min(slots - slotsUsed(roomy.get()), wanted);
      return new Growth.OnEni(roomy.get().spec().id(), count);
    }
    int excluded = (int) view.enis().stream().filter(EniView::excluded).count();
    if (!limits.hasRoom(view.enis().size(), excluded)) {
      return new Growth.Exhausted();
    }
    return mayCreate ? new Growth.NewEni(Math.min(slots, wanted)) : new Growth.Waits();
  }

  private static Optional<EniView> roomy(PoolView view, PoolLimits limits) {
    return view.enis().stream()
        .filter(eni -> !eni.spec().trunk() && !eni.excluded() && !eni.draining())
        .filter(eni -> slotsUsed(eni) < limits.slotsPerEni())
        .min(
            Comparator.comparingInt((EniView eni) -> eni.spec().deviceNumber())
                .thenComparing(eni -> eni.spec().id()));
  }

  /** The step by which a card grows next. */
  public static GrowthKind nextStep(PoolView view, PoolLimits limits) {
    if (roomy(view, limits).isEmpty()) {
      return GrowthKind.INTERFACE;
    }
    return view.mode() == CidrKind.PREFIX ? GrowthKind.BLOCKS : GrowthKind.ADDRESSES;
  }

  /** A prefix takes as much room as a single address; an IPv6 prefix takes none. */
  private static int slotsUsed(EniView eni) {
    return (int) eni.cidrs().stream().filter(each -> each.cidr().family() == IpFamily.IPV4).count();
  }

  private static boolean askRemoval(
      PoolView view, PoolNumbers numbers, WarmTargets targets, PoolLimits limits, Profile profile) {
    if (profile == Profile.TIDEMARK || targets.countAddresses()) {
      return true;
    }
    int slots = limits.slotsPerEni();
    if (view.mode() == CidrKind.SECONDARY) {
      return numbers.free() >= (targets.warmEni() + 1L) * slots;
    }
    return numbers.free() >= (targets.warmPrefix() + 1L) * PER_PREFIX * slots
        || view.enis().stream().anyMatch(PoolPlanner::isUnused);
  }

  private static boolean isUnused(EniView eni) {
    return !eni.spec().primary() && !eni.spec().trunk() && !eni.spec().efa() && eni.inUse() == 0;
  }
}
