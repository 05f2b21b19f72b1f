package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.ReleasePlanner;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.spi.ReleaseAction;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** What to give back, as every provider plans it; of equal interfaces the one of smallest id. */
final class Surplus {
  private static final ReleasePlanner<Eni> PLANNER =
      new ReleasePlanner<>(
          CloudOperation.UNASSIGN_PRIVATE_IP_ADDRESSES.kind(),
          Eni::pool,
          Comparator.comparing(Eni::id).reversed());

  private Surplus() {}

  /** As the reference, nothing goes from an interface with blocks. */
  static ReleaseAction byExcess(
      SlotModel slots, InstanceView<Eni> view, int excess, AddressSet used) {
    return PLANNER.byExcess(
        view,
        eni -> slots.usable(eni) && !(slots.referenceCompatible() && !eni.prefixes().isEmpty()),
        excess,
        used);
  }

  static List<ReleaseAction> byCidr(SlotModel slots, InstanceView<Eni> view, Set<Cidr> cidrs) {
    return PLANNER.byCidr(view, slots::usable, cidrs);
  }

  static ReleaseAction nothing() {
    return PLANNER.nothing();
  }
}
