package io.tidemark.datastore.plan;

import static io.tidemark.datastore.plan.PoolNumbers.PER_PREFIX;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.ip.IpFamily;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Says which interface of a network card is not needed, at most one at a time. Pure. */
public final class RemovalRules {
  private RemovalRules() {}

  /**
   * The interface that can be removed: the one with the fewest addresses, of several the one with
   * the highest device number. Empty when all are needed.
   */
  public static Optional<EniView> candidate(
      PoolView view, WarmTargets targets, PoolLimits limits, Profile profile) {
    return view.enis().stream()
        .filter(EniView::isRemovable)
        .filter(eni -> isNotNeeded(eni, view, targets, limits, profile))
        .min(
            Comparator.comparingInt((EniView eni) -> eni.cidrs().size())
                .thenComparing(eni -> eni.spec().deviceNumber(), Comparator.reverseOrder())
                .thenComparing(eni -> eni.spec().id()));
  }

  private static boolean isNotNeeded(
      EniView eni, PoolView view, WarmTargets targets, PoolLimits limits, Profile profile) {
    List<EniView> others =
        view.enis().stream().filter(each -> !each.spec().id().equals(eni.spec().id())).toList();
    PoolView rest = new PoolView(view.mode(), others);
    return profile == Profile.UPSTREAM
        ? meets(rest, targets)
        : eni.excluded() || !PoolPlanner.isLow(rest, targets, limits, profile);
  }

  /** Whether what is left meets each target that is set, as the AWS VPC CNI looks at them. */
  private static boolean meets(PoolView rest, WarmTargets targets) {
    int warm = rounded(targets.warmIp().orElse(0), rest.mode());
    int min = rounded(targets.minIp().orElse(0), rest.mode());
    PoolNumbers numbers = PoolNumbers.of(rest, Profile.UPSTREAM);
    if ((warm != 0 && numbers.free() < warm) || (min != 0 && numbers.total() < min)) {
      return false;
    }
    return rest.mode() == CidrKind.SECONDARY
        || targets.countAddresses()
        || freePrefixes(rest) >= targets.warmPrefix();
  }

  private static int rounded(int addresses, CidrKind mode) {
    return mode == CidrKind.PREFIX
        ? PoolNumbers.ceilDiv(addresses, PER_PREFIX) * PER_PREFIX
        : addresses;
  }

  private static int freePrefixes(PoolView rest) {
    int free = 0;
    for (EniView eni : rest.enis()) {
      for (CidrView cidr : eni.cidrs()) {
        boolean counts = cidr.kind() == CidrKind.PREFIX && cidr.cidr().family() == IpFamily.IPV4;
        free += counts && cidr.inUse() == 0 && !eni.excluded() ? 1 : 0;
      }
    }
    return free;
  }
}
