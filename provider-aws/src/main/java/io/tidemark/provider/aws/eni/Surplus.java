package io.tidemark.provider.aws.eni;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.ReleasePlanner;
import io.tidemark.spi.ReleaseAction;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** What to give back (provider-aws 3.4, 3.5); of equal interfaces the one of the highest index. */
final class Surplus {
  private static final ReleasePlanner<Eni> PLANNER =
      new ReleasePlanner<>(
          Ec2Operation.UNASSIGN_PRIVATE_IP_ADDRESSES.kind(),
          Eni::pool,
          Comparator.comparingInt(Eni::index));

  private Surplus() {}

  /** While prefixes are sticky, nothing goes from an interface with one. */
  static ReleaseAction byExcess(
      SlotModel slots, InstanceView<Eni> view, int excess, AddressSet used) {
    return PLANNER.byExcess(view, slots::gives, excess, used);
  }

  static List<ReleaseAction> byCidr(SlotModel slots, InstanceView<Eni> view, Set<Cidr> cidrs) {
    return PLANNER.byCidr(view, slots::usable, cidrs);
  }

  static ReleaseAction nothing() {
    return PLANNER.nothing();
  }
}
