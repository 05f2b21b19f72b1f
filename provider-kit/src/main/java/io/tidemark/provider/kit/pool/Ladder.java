package io.tidemark.provider.kit.pool;

import io.tidemark.spi.AddressPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * The order of requests when a pool has no block or too few addresses left: rungs are tried from
 * the first one on while the cloud has no room. Immutable and pure.
 *
 * @param endsWithOne whether one single is requested on an attached interface after several were
 *     refused
 * @param triesOneBlock whether one block is requested after several were refused
 */
public record Ladder(boolean endsWithOne, boolean triesOneBlock) {
  private static final int SIBLINGS_MAX = 3;

  /**
   * The capacity of a new interface.
   *
   * @param slots slots in addition to the primary address
   * @param primaryUsable whether its primary address is for pods and counts toward the ceiling
   * @param delegated whether blocks are requested
   */
  public record NewInterface(int slots, boolean primaryUsable, boolean delegated) {}

  /** A ladder that requests one block after several were refused. */
  public Ladder(boolean endsWithOne) {
    this(endsWithOne, true);
  }

  /**
   * Rungs for an attached interface: blocks, one block, singles. It requests no more singles than
   * are free: a cloud assigns all of a request or nothing.
   *
   * @param freeSlots free slots of the interface
   */
  public <S> List<Rung<S>> onInterface(AddressPlan plan, Pool<S> pool, int freeSlots) {
    List<Rung<S>> rungs = new ArrayList<>();
    if (plan.blockSize() > 1) {
      blocks(rungs, pool, Math.min(plan.blocks(), freeSlots), "");
    }
    int singles = Math.min(Math.min(plan.singles(), freeSlots), pool.free());
    if (singles > 0) {
      rungs.add(new Rung<>(pool, 0, singles, "singles"));
    }
    if (singles > 1 && endsWithOne) {
      rungs.add(new Rung<>(pool, 0, 1, "oneSingle"));
    }
    return rungs;
  }

  /**
   * Rungs for a new interface: blocks and one block in the best pool, then in its siblings; singles
   * last.
   *
   * @param eligible best first
   * @param bare pools in which an interface is created even without addresses for pods
   */
  public <S> List<Rung<S>> onNewInterface(
      AddressPlan plan, List<Pool<S>> eligible, NewInterface made, Predicate<Pool<S>> bare) {
    List<Pool<S>> pools = eligible.stream().filter(Pool::hasRoom).limit(1 + SIBLINGS_MAX).toList();
    AddressPlan wanted = made.primaryUsable() ? lessThePrimary(plan) : plan;
    List<Rung<S>> rungs = new ArrayList<>();
    if (made.delegated()) {
      int blocks = Math.min(blocksOf(wanted), made.slots());
      for (Pool<S> pool : pools) {
        if (pool.mayHaveBlocks()) {
          blocks(rungs, pool, blocks, pool.equals(pools.get(0)) ? "" : "sibling");
        }
      }
    }
    for (Pool<S> pool : pools) {
      int singles = Math.min(Math.min(wanted.singles(), made.slots()), pool.free() - 1);
      boolean primaryAlone =
          plan.singles() > 0 ? made.primaryUsable() : plan.singles() == 0 && bare.test(pool);
      if (singles > 0 || primaryAlone) {
        rungs.add(new Rung<>(pool, 0, Math.max(0, singles), "singles"));
      }
    }
    return rungs;
  }

  private <S> void blocks(List<Rung<S>> rungs, Pool<S> pool, int blocks, String where) {
    if (blocks > 0) {
      rungs.add(new Rung<>(pool, blocks, 0, where.isEmpty() ? "prefixes" : where));
    }
    if (blocks > 1 && triesOneBlock) {
      rungs.add(new Rung<>(pool, 1, 0, where.isEmpty() ? "onePrefix" : where));
    }
  }

  private static int blocksOf(AddressPlan plan) {
    return new AddressPlan(
            plan.roomOnInterface(),
            plan.wanted(),
            plan.ceiling(),
            Pool.BLOCK_SIZE,
            plan.interfaceCandidates())
        .blocks();
  }

  /** The primary address of the new interface counts toward the ceiling. */
  private static AddressPlan lessThePrimary(AddressPlan plan) {
    OptionalInt ceiling =
        plan.ceiling().isPresent()
            ? OptionalInt.of(Math.max(0, plan.ceiling().getAsInt() - 1))
            : OptionalInt.empty();
    return plan.wanting(plan.wanted(), ceiling);
  }
}
