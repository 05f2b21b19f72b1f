package io.tidemark.provider.aws.eni;

import io.tidemark.spi.AddressPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * How many prefixes to ask for, and what to ask for when the subnet has none left (provider-aws
 * 2.4, 3.3): the ladder is tried from the first rung on while EC2 answers that there is no room.
 * Pure. Whether a node works with prefixes at all says {@link SlotModel#delegated}.
 */
final class PrefixDelegation {
  /** Subnets tried beside the best one. */
  private static final int SIBLINGS_MAX = 3;

  private PrefixDelegation() {}

  /**
   * Rungs for an attached interface: prefixes, one prefix, singles, one single. No more singles are
   * asked for than are free: EC2 gives all of a request or nothing.
   */
  static List<Rung> onInterface(AddressPlan plan, SubnetPool pool, int freeSlots) {
    List<Rung> ladder = new ArrayList<>();
    if (plan.blockSize() > 1) {
      prefixes(ladder, pool, Math.min(plan.blocks(), freeSlots), "");
    }
    int singles = Math.min(Math.min(plan.singles(), freeSlots), pool.free());
    if (singles > 0) {
      ladder.add(new Rung(pool, 0, singles, "singles"));
    }
    if (singles > 1) {
      ladder.add(new Rung(pool, 0, 1, "oneSingle"));
    }
    return ladder;
  }

  /**
   * Rungs for a new interface: prefixes and one prefix in the best subnet, then in its siblings;
   * singles last.
   *
   * @param eligible best first
   * @param delegated whether the node works with prefixes
   * @param ipv6Prefixes wanted with it; an interface for them alone takes its primary address only
   */
  static List<Rung> onNewInterface(
      AddressPlan plan,
      List<SubnetPool> eligible,
      SlotModel slots,
      boolean delegated,
      int ipv6Prefixes) {
    List<SubnetPool> pools =
        eligible.stream().filter(SubnetPool::hasRoom).limit(1 + SIBLINGS_MAX).toList();
    AddressPlan wanted = slots.primaryUsable() ? lessThePrimary(plan) : plan;
    List<Rung> ladder = new ArrayList<>();
    if (delegated) {
      int prefixes = Math.min(prefixesOf(wanted), slots.slots());
      for (SubnetPool pool : pools) {
        if (pool.mayHaveBlocks()) {
          prefixes(ladder, pool, prefixes, pool.equals(pools.get(0)) ? "" : "sibling");
        }
      }
    }
    for (SubnetPool pool : pools) {
      int singles = Math.min(wanted.singles(), slots.slots());
      int possible = Math.min(singles, pool.free() - 1);
      boolean forIpv6 = ipv6Prefixes > 0 && plan.singles() == 0 && pool.subnet().ipv6().isPresent();
      if (possible > 0 || forIpv6 || (slots.primaryUsable() && plan.singles() > 0)) {
        ladder.add(new Rung(pool, 0, Math.max(0, possible), "singles"));
      }
    }
    return ladder;
  }

  private static void prefixes(List<Rung> ladder, SubnetPool pool, int prefixes, String where) {
    if (prefixes > 0) {
      ladder.add(new Rung(pool, prefixes, 0, where.isEmpty() ? "prefixes" : where));
    }
    if (prefixes > 1) {
      ladder.add(new Rung(pool, 1, 0, where.isEmpty() ? "onePrefix" : where));
    }
  }

  private static int prefixesOf(AddressPlan plan) {
    return new AddressPlan(
            plan.roomOnInterface(),
            plan.wanted(),
            plan.ceiling(),
            SlotModel.BLOCK_SIZE,
            plan.interfaceCandidates())
        .blocks();
  }

  /** The primary address of the new interface counts, so the ceiling is reached one earlier. */
  private static AddressPlan lessThePrimary(AddressPlan plan) {
    OptionalInt ceiling =
        plan.ceiling().isPresent()
            ? OptionalInt.of(Math.max(0, plan.ceiling().getAsInt() - 1))
            : OptionalInt.empty();
    return plan.wanting(plan.wanted(), ceiling);
  }
}
