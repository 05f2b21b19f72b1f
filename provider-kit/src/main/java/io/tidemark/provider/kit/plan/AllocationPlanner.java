package io.tidemark.provider.kit.plan;

import io.tidemark.provider.kit.CachedInterface;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.resilience.CallKind;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Plans the next step for a node that lacks addresses: fill an attached interface, otherwise create
 * one. Immutable and pure; it reserves nothing in the pools.
 *
 * @param slots room of the node's interfaces
 * @param view the known state of the instance
 * @param pool finds the pool of an attached interface
 * @param rules decisions of the cloud
 */
public record AllocationPlanner<I extends CachedInterface<I>, S>(
    SlotModel<I> slots,
    InstanceView<I> view,
    Function<I, Optional<Pool<S>>> pool,
    Rules<I, S> rules) {

  /** The decisions of one cloud about a plan. Pure. */
  public interface Rules<I, S> {
    /** The names of a cloud and of its blocks in messages, such as {@code the cloud}. */
    record Words(String cloud, String block) {}

    /** The words of its messages. */
    default Words words() {
      return new Words("the cloud", "block");
    }

    /** Among interfaces with room, the least is filled. */
    Comparator<I> order();

    /** The request that fills an interface. */
    CallKind assign();

    /** The request that creates one; not called while no interface can be attached. */
    default CallKind create() {
      return assign();
    }

    /** Whether a plan that fills an interface also names a possible request that creates one. */
    default boolean offersBoth() {
      return false;
    }

    /**
     * Pools for a new interface, including full ones, best first; none if the cloud cannot create
     * interfaces, which is the default.
     */
    default List<Pool<S>> eligible() {
      return List.of();
    }

    /** IPv6 blocks to request from a pool with the IPv4 addresses. */
    default int ipv6In(Pool<S> pool) {
      return 0;
    }

    /** Why no pool is eligible; not called while no interface can be attached. */
    default String whyNoPool() {
      return "";
    }

    /** The reason when the instance has no room left. */
    default BlockedReason whenFull() {
      return BlockedReason.OUT_OF_INTERFACES;
    }

    /** The message that the instance has its maximum of interfaces, with the numbers. */
    String allTaken();
  }

  /** An attached interface with room in a pool with room. */
  private record Candidate<I, S>(I each, Pool<S> pool) {}

  /** Plans from the current state. */
  public AllocationAction plan() {
    int empty = slots.emptySlots(view.interfaces());
    if (view.doubtful()) {
      return AllocationAction.blocked(
          new Blocked(
              BlockedReason.READING_BACK,
              "the answer to a request that adds addresses was lost, and "
                  + rules.words().cloud()
                  + " has not yet shown its effect"),
          empty);
    }
    List<I> withRoom = view.interfaces().stream().filter(slots::hasRoom).toList();
    boolean delegated = slots.delegated(view.interfaces());
    Optional<Candidate<I, S>> best = best(withRoom, delegated);
    if (best.isPresent()) {
      return fill(best.get(), delegated, empty, withRoom.size());
    }
    Optional<Pool<S>> target = target(empty);
    return target.isPresent()
        ? create(target.get(), delegated, empty, withRoom.size())
        : AllocationAction.blocked(why(withRoom, empty), empty);
  }

  private Optional<Pool<S>> target(int empty) {
    return empty > 0
        ? rules.eligible().stream().filter(Pool::hasRoom).findFirst()
        : Optional.empty();
  }

  private Optional<Candidate<I, S>> best(List<I> withRoom, boolean delegated) {
    List<Candidate<I, S>> candidates = new ArrayList<>();
    for (I each : withRoom) {
      pool.apply(each)
          .filter(Pool::mayHaveAddresses)
          .ifPresent(found -> candidates.add(new Candidate<>(each, found)));
    }
    return candidates.stream()
        .min(
            Comparator.comparing(
                    (Candidate<I, S> each) -> delegated && !each.pool().mayHaveBlocks())
                .thenComparing(Candidate::each, rules.order()));
  }

  private AllocationAction fill(
      Candidate<I, S> chosen, boolean delegated, int empty, int candidates) {
    Pool<S> from = chosen.pool();
    int blockSize = blockSize(from, delegated);
    int room = Math.min(slots.freeSlots(chosen.each()), from.free() / blockSize) * blockSize;
    List<CallKind> opening = new ArrayList<>();
    opening.add(rules.assign());
    if (rules.offersBoth() && target(empty).isPresent()) {
      opening.add(rules.create());
    }
    return new AllocationAction(
        Optional.of(chosen.each().id()),
        Optional.of(from.id()),
        empty,
        new AddressPlan(room, 0, OptionalInt.empty(), blockSize, candidates),
        rules.ipv6In(from),
        opening,
        Optional.empty());
  }

  private AllocationAction create(Pool<S> from, boolean delegated, int empty, int candidates) {
    return new AllocationAction(
        Optional.empty(),
        Optional.of(from.id()),
        empty,
        new AddressPlan(0, 0, OptionalInt.empty(), blockSize(from, delegated), candidates),
        rules.ipv6In(from),
        List.of(rules.create()),
        Optional.empty());
  }

  private int blockSize(Pool<S> from, boolean delegated) {
    return delegated && from.mayHaveBlocks() ? Pool.BLOCK_SIZE : 1;
  }

  private Blocked why(List<I> withRoom, int empty) {
    if (!withRoom.isEmpty() && empty <= 0) {
      return new Blocked(
          BlockedReason.SUBNET_EXHAUSTED,
          "no free address in " + withRoom.stream().map(CachedInterface::pool).distinct().toList());
    }
    if (empty <= 0) {
      return full();
    }
    List<Pool<S>> eligible = rules.eligible();
    return eligible.isEmpty()
        ? new Blocked(BlockedReason.NO_SUBNET, rules.whyNoPool())
        : new Blocked(
            BlockedReason.SUBNET_EXHAUSTED,
            "fewer than 2 free addresses in " + eligible.stream().map(Pool::id).toList());
  }

  /** Every slot is in use; if blocks were wanted, singles explain the low number of addresses. */
  private Blocked full() {
    int singles =
        view.interfaces().stream()
            .filter(slots::usable)
            .mapToInt(each -> each.singles().size())
            .sum();
    return slots.blocks() && singles > 0
        ? new Blocked(
            BlockedReason.SUBNET_FRAGMENTED,
            singles
                + " places hold single addresses, because no "
                + rules.words().block()
                + " was free for them")
        : new Blocked(rules.whenFull(), rules.allTaken());
  }
}
