package io.tidemark.provider.mock;

import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What to do next for a node that lacks addresses: fill an attached interface, else create one
 * (node-manager 1.9). Pure.
 */
final class AllocationPlanner {
  private AllocationPlanner() {}

  /** An attached interface with room in a subnet with room. */
  private record Candidate(Eni eni, Pool pool) {}

  /** Plans from what is known now; {@code choice} says where a new interface may go. */
  static AllocationAction plan(
      SlotModel slots, InstanceView<Eni> view, PoolChoice choice, MockPools pools) {
    int empty = slots.emptySlots(view.interfaces());
    if (view.doubtful()) {
      return AllocationAction.blocked(
          new Blocked(
              BlockedReason.READING_BACK,
              "the answer to a request that adds addresses was lost, and the cloud has not yet shown"
                  + " its effect"),
          empty);
    }
    List<Eni> withRoom =
        view.interfaces().stream()
            .filter(eni -> slots.usable(eni) && slots.freeSlots(eni) > 0)
            .toList();
    boolean delegated = slots.delegated(view.interfaces());
    Optional<Candidate> best = best(withRoom, pools, delegated);
    if (best.isPresent()) {
      return fill(best.get(), slots, delegated, empty, withRoom.size());
    }
    List<Pool> eligible = choice.eligible(pools.all(), slots.type().addressesPerInterface());
    Optional<Pool> target = eligible.stream().filter(PoolChoice::hasRoom).findFirst();
    if (empty > 0 && target.isPresent()) {
      return create(target.get(), delegated, empty, withRoom.size());
    }
    return AllocationAction.blocked(why(slots, view, choice, withRoom, eligible, empty), empty);
  }

  private static Optional<Candidate> best(List<Eni> withRoom, MockPools pools, boolean delegated) {
    List<Candidate> candidates = new ArrayList<>();
    for (Eni eni : withRoom) {
      pools
          .find(eni.pool())
          .filter(pool -> pool.free() > 0)
          .ifPresent(pool -> candidates.add(new Candidate(eni, pool)));
    }
    return candidates.stream()
        .min(
            Comparator.comparing((Candidate each) -> delegated && !each.pool().mayHaveBlocks())
                .thenComparing(each -> each.eni().index())
                .thenComparing(each -> each.eni().id()));
  }

  private static AllocationAction fill(
      Candidate chosen, SlotModel slots, boolean delegated, int empty, int candidates) {
    Pool pool = chosen.pool();
    int blockSize = delegated && pool.mayHaveBlocks() ? MockPools.BLOCK_SIZE : 1;
    int room = Math.min(slots.freeSlots(chosen.eni()), pool.free() / blockSize) * blockSize;
    return new AllocationAction(
        Optional.of(chosen.eni().id()),
        Optional.of(pool.id()),
        empty,
        new AddressPlan(room, 0, OptionalInt.empty(), blockSize, candidates),
        0,
        List.of(CloudOperation.ASSIGN_PRIVATE_IP_ADDRESSES.kind()),
        Optional.empty());
  }

  private static AllocationAction create(Pool pool, boolean delegated, int empty, int candidates) {
    return new AllocationAction(
        Optional.empty(),
        Optional.of(pool.id()),
        empty,
        new AddressPlan(
            0,
            0,
            OptionalInt.empty(),
            delegated && pool.mayHaveBlocks() ? MockPools.BLOCK_SIZE : 1,
            candidates),
        0,
        List.of(CloudOperation.CREATE_NETWORK_INTERFACE.kind()),
        Optional.empty());
  }

  private static Blocked why(
      SlotModel slots,
      InstanceView<Eni> view,
      PoolChoice choice,
      List<Eni> withRoom,
      List<Pool> eligible,
      int empty) {
    if (!withRoom.isEmpty() && empty <= 0) {
      return new Blocked(
          BlockedReason.SUBNET_EXHAUSTED,
          "no free address in " + withRoom.stream().map(Eni::pool).distinct().toList());
    }
    if (empty <= 0) {
      return full(slots, view);
    }
    if (eligible.isEmpty()) {
      return new Blocked(BlockedReason.NO_SUBNET, "no subnet matches " + choice);
    }
    return new Blocked(
        BlockedReason.SUBNET_EXHAUSTED,
        "fewer than 2 free addresses in " + eligible.stream().map(Pool::id).toList());
  }

  /**
   * Every place is taken; where blocks were wanted, those with singles tell why so few are held.
   */
  private static Blocked full(SlotModel slots, InstanceView<Eni> view) {
    int singles =
        view.interfaces().stream()
            .filter(slots::usable)
            .mapToInt(eni -> eni.singles().size())
            .sum();
    if (slots.blocks() && singles > 0) {
      return new Blocked(
          BlockedReason.SUBNET_FRAGMENTED,
          singles + " places hold single addresses, because no block was free for them");
    }
    return new Blocked(
        BlockedReason.OUT_OF_INTERFACES,
        slots.type().name()
            + " has "
            + view.interfaces().size()
            + " of "
            + slots.type().interfaces()
            + " interfaces, none with room"
            + (slots.firstIndex() > 0
                ? " at device index " + slots.firstIndex() + " or above, those for pods"
                : ""));
  }
}
