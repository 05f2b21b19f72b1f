package io.tidemark.provider.kit.plan;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.provider.kit.CachedInterface;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.pool.Ladder;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.PlannedInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** One cloud's decisions for an instance of a plan of capacity. Pure. */
public interface CapacityModel<I extends CachedInterface<I>, S> {
  SlotModel<I> slots(List<I> attached);

  AllocationAction plan(List<I> attached);

  Ladder ladder();

  /** Where all addresses come from. */
  Pool<S> pool();

  /** The next interface, without addresses for pods; the instance's own when there is none. */
  I next(List<I> attached);

  /** The requests that change something when an action succeeds at once. */
  List<CallKind> requests(AllocationAction action);

  /** Their usual duration. */
  Duration usual(AllocationAction action);

  /** Fills a new instance until its passes do nothing more; the rest is for the result. */
  default PlannedInstance fill(
      PlannedInstance.Passes passes,
      CallPolicy policy,
      int keptInSubnet,
      int largestSubnet,
      int networkMax) {
    List<I> attached = List.of(next(List.of()));
    List<CallKind> requests = new ArrayList<>();
    Duration took = Duration.ZERO;
    while (true) {
      SlotModel<I> slots = slots(attached);
      int available =
          attached.stream()
              .filter(slots::usable)
              .mapToInt(each -> slots.podAddresses(each).size())
              .sum();
      Optional<AllocationAction> action =
          passes.next(
              plan(attached), available, slots.reachable(attached), slots.preAllocateDefault());
      List<I> after = action.isPresent() ? after(action.get(), attached) : attached;
      if (after.equals(attached)) {
        return new PlannedInstance(
            available,
            attached.size(),
            attached.stream().mapToInt(each -> each.prefixes().size()).sum(),
            attached.stream().mapToInt(each -> 1 + each.singles().size()).sum(),
            requests,
            took,
            policy,
            keptInSubnet,
            largestSubnet,
            networkMax);
      }
      attached = after;
      requests.addAll(requests(action.orElseThrow()));
      took = took.plus(usual(action.orElseThrow()));
    }
  }

  private List<I> after(AllocationAction action, List<I> attached) {
    SlotModel<I> slots = slots(attached);
    Optional<I> on =
        attached.stream()
            .filter(each -> action.onInterface().equals(Optional.of(each.id())))
            .findFirst();
    List<Rung<S>> rungs =
        on.isPresent()
            ? ladder().onInterface(action.ipv4(), pool(), slots.freeSlots(on.get()))
            : ladder()
                .onNewInterface(
                    action.ipv4(),
                    List.of(pool()),
                    new Ladder.NewInterface(
                        slots.slots(), slots.primaryUsable(), slots.delegated(attached)),
                    bare -> false);
    if (rungs.isEmpty()) {
      return attached;
    }
    I grown = on.orElseGet(() -> next(attached));
    int singles = attached.stream().mapToInt(each -> each.singles().size()).sum();
    int blocks = attached.stream().mapToInt(each -> each.prefixes().size()).sum();
    AddressSet.Builder ips = AddressSet.builder();
    IntStream.range(singles, singles + rungs.get(0).singles())
        .forEach(i -> ips.add(Ipv4Address.of(10, 0, 0, 0).plus(i)));
    List<Cidr> cidrs =
        IntStream.range(blocks, blocks + rungs.get(0).blocks())
            .mapToObj(i -> Cidr.of(Ipv4Address.of(10, 128, 0, 0).plus(16L * i), 28))
            .toList();
    return new Change.Attached<>(grown.plus(ips.build(), cidrs)).replay(attached);
  }
}
