package io.tidemark.provider.mock;

import io.tidemark.spi.AddressPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * One way to ask for addresses; the ladder is tried from the first rung on while the cloud answers
 * that there is no room (node-manager 2.5).
 *
 * @param prefixes blocks; 0 when singles are asked for
 */
record Rung(Pool pool, int prefixes, int singles) {
  /** Subnets tried beside the best one. */
  private static final int SIBLINGS_MAX = 3;

  /** Pod addresses it brings. */
  int addresses() {
    return prefixes * MockPools.BLOCK_SIZE + singles;
  }

  /**
   * Rungs for an attached interface: blocks, one block, singles. No more singles are asked for than
   * are free: the cloud gives all of a request or nothing.
   */
  static List<Rung> onInterface(AddressPlan plan, Pool pool, int freeSlots) {
    List<Rung> ladder = new ArrayList<>();
    if (plan.blockSize() > 1) {
      blocks(ladder, pool, Math.min(plan.blocks(), freeSlots));
    }
    int singles = Math.min(Math.min(plan.singles(), freeSlots), pool.free());
    if (singles > 0) {
      ladder.add(new Rung(pool, 0, singles));
    }
    return ladder;
  }

  /**
   * Rungs for a new interface: blocks and one block in the best subnet, then in its siblings;
   * singles last.
   *
   * @param eligible best first
   */
  static List<Rung> onNewInterface(
      AddressPlan plan, List<Pool> eligible, SlotModel slots, boolean delegated) {
    List<Pool> pools =
        eligible.stream().filter(PoolChoice::hasRoom).limit(1 + SIBLINGS_MAX).toList();
    AddressPlan wanted = slots.primaryUsable() ? lessThePrimary(plan) : plan;
    List<Rung> ladder = new ArrayList<>();
    if (delegated) {
      int prefixes = Math.min(blocksOf(wanted), slots.type().slots());
      pools.stream().filter(Pool::mayHaveBlocks).forEach(pool -> blocks(ladder, pool, prefixes));
    }
    for (Pool pool : pools) {
      int singles = Math.min(wanted.singles(), slots.type().slots());
      int possible = Math.min(singles, pool.free() - 1);
      if (possible > 0 || (slots.primaryUsable() && plan.singles() > 0)) {
        ladder.add(new Rung(pool, 0, Math.max(0, possible)));
      }
    }
    return ladder;
  }

  private static void blocks(List<Rung> ladder, Pool pool, int prefixes) {
    if (prefixes > 0) {
      ladder.add(new Rung(pool, prefixes, 0));
    }
    if (prefixes > 1) {
      ladder.add(new Rung(pool, 1, 0));
    }
  }

  private static int blocksOf(AddressPlan plan) {
    return new AddressPlan(
            plan.roomOnInterface(),
            plan.wanted(),
            plan.ceiling(),
            MockPools.BLOCK_SIZE,
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
