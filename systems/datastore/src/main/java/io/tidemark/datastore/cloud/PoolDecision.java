package io.tidemark.datastore.cloud;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.plan.Pending;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.PoolPlan;
import io.tidemark.datastore.plan.PoolPlan.Growth;
import io.tidemark.datastore.plan.PoolPlanner;
import io.tidemark.datastore.plan.RemovalRules;
import io.tidemark.ip.IpFamily;
import java.util.List;
import java.util.Optional;

/**
 * The next request of a card to the cloud. Pure: the same view and circumstances give the same
 * step. Growth comes first; a card that may grow gives nothing back.
 *
 * @param canGrow whether the card would get more addresses if a pod found none
 */
record PoolDecision(PoolPlan plan, Step step, boolean canGrow) {

  sealed interface Step {
    record Nothing() implements Step {}

    /** More, on an interface that is here or on a new one. */
    record Grow(Growth growth) implements Step {}

    /** Unused addresses or prefixes of one kind go back, so many at most. */
    record Return(CidrKind kind, int max) implements Step {}

    /** All that excluded interfaces do not use goes back. */
    record ReturnExcluded() implements Step {}

    /** An interface that is not needed goes back. */
    record Remove(String eniId) implements Step {}
  }

  /**
   * The circumstances of a decision.
   *
   * @param pending what the card got and pods cannot use yet
   * @param demand requests that found no address and have not led to growth yet
   * @param growthWaits no request for more may begin now
   * @param shortLately the card has been short for a few seconds at most
   * @param cloudRefuses the cloud gives no more for the time being
   * @param mayShrink a request to give something back may begin now
   */
  record Circumstances(
      Pending pending,
      int demand,
      boolean growthWaits,
      boolean shortLately,
      boolean cloudRefuses,
      boolean mayShrink) {}

  static PoolDecision of(PoolView view, PoolTargets targets, PoolLimits limits, Circumstances now) {
    return targets.family() == IpFamily.IPV6
        ? ofIpv6(view, now)
        : ofIpv4(view, targets, limits, now);
  }

  private static PoolDecision ofIpv6(PoolView view, Circumstances now) {
    Growth growth = PoolPlanner.planIpv6(view);
    boolean low = isPossible(growth);
    Step step = low && !now.growthWaits() ? new Step.Grow(growth) : new Step.Nothing();
    return new PoolDecision(
        new PoolPlan(growth instanceof Growth.None ? 0 : 1, 0, growth, false, now.pending()),
        step,
        low && !now.cloudRefuses());
  }

  private static PoolDecision ofIpv4(
      PoolView view, PoolTargets targets, PoolLimits limits, Circumstances now) {
    PoolPlan plan = plan(view, targets, limits, now, now.demand());
    Step step = new Step.Nothing();
    if (isPossible(plan.growth()) && !now.cloudRefuses()) {
      boolean folds =
          now.shortLately()
              && PoolPlanner.canWait(view, targets.warm(), limits, now.demand(), targets.profile());
      step = now.growthWaits() || folds ? step : new Step.Grow(plan.growth());
    } else if (now.mayShrink()) {
      step = shrink(view, targets, limits, plan);
    }
    return new PoolDecision(
        plan, step, !now.cloudRefuses() && wouldGrow(view, targets, limits, now));
  }

  private static PoolPlan plan(
      PoolView view, PoolTargets targets, PoolLimits limits, Circumstances now, int demand) {
    return PoolPlanner.plan(view, targets.warm(), limits, now.pending(), demand, targets.profile());
  }

  private static boolean isPossible(Growth growth) {
    return growth instanceof Growth.OnEni || growth instanceof Growth.NewEni;
  }

  /** A card with free addresses may grow as far as it matters: the next plan says more. */
  private static boolean wouldGrow(
      PoolView view, PoolTargets targets, PoolLimits limits, Circumstances now) {
    Growth asked = plan(view, targets, limits, now, Math.max(1, now.demand())).growth();
    return asked instanceof Growth.None
        ? view.stats(IpFamily.IPV4).usable() > 0
        : isPossible(asked);
  }

  /**
   * A whole interface comes before single addresses: it is one request for all of them. One that
   * the host is not set up for yet is not taken for one that is not needed.
   */
  private static Step shrink(PoolView view, PoolTargets targets, PoolLimits limits, PoolPlan plan) {
    if (plan.askRemoval()) {
      List<String> pending = plan.pending().enis();
      PoolView ready =
          new PoolView(
              view.mode(),
              view.enis().stream().filter(eni -> !pending.contains(eni.spec().id())).toList());
      Optional<EniView> eni =
          RemovalRules.candidate(ready, targets.warm(), limits, targets.profile());
      if (eni.isPresent()) {
        return new Step.Remove(eni.get().spec().id());
      }
    }
    if (plan.overBy() > 0) {
      return new Step.Return(view.mode(), plan.overBy());
    }
    CidrKind other = view.mode() == CidrKind.PREFIX ? CidrKind.SECONDARY : CidrKind.PREFIX;
    if (hasWhole(view, false, other)) {
      return new Step.Return(other, Integer.MAX_VALUE);
    }
    return hasWhole(view, true, CidrKind.SECONDARY) || hasWhole(view, true, CidrKind.PREFIX)
        ? new Step.ReturnExcluded()
        : new Step.Nothing();
  }

  private static boolean hasWhole(PoolView view, boolean excluded, CidrKind kind) {
    return view.enis().stream()
        .filter(eni -> eni.excluded() == excluded && !eni.draining())
        .flatMap(eni -> eni.cidrs().stream())
        .filter(cidr -> cidr.kind() == kind && cidr.cidr().family() == IpFamily.IPV4)
        .anyMatch(CidrView::isWhole);
  }
}
