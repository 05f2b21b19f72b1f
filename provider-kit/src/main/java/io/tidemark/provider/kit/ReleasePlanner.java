package io.tidemark.provider.kit;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallKind;
import io.tidemark.spi.ReleaseAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Plans what to release (node-manager 2.5, 4.9). Immutable and pure. Blocks only whole and only
 * while the surplus covers them, singles from the highest address down, the primary address never:
 * it is neither in {@link CachedInterface#singles} nor in a block that pods may use. Nor are {@link
 * CachedInterface#pinned} addresses.
 */
public final class ReleasePlanner<I extends CachedInterface<I>> {
  private final CallKind firstCall;
  private final Comparator<I> tie;

  /**
   * The planner of one kind of cloud.
   *
   * @param firstCall the first request of each release
   * @param tie among interfaces with equally many addresses to release, the greatest is chosen
   */
  public ReleasePlanner(CallKind firstCall, Comparator<I> tie) {
    this.firstCall = firstCall;
    this.tie = tie;
  }

  /**
   * The interface with most releasable addresses; nothing while a lost response leaves the view in
   * doubt.
   *
   * @param giving which interfaces may release addresses
   * @param excess surplus addresses, 0 or more
   * @param used addresses that pods hold
   */
  public ReleaseAction byExcess(
      InstanceView<I> view, Predicate<I> giving, int excess, AddressSet used) {
    Optional<I> best = Optional.empty();
    ReleaseAction chosen = nothing();
    long most = 0;
    for (I eni : view.interfaces()) {
      if (giving.test(eni) && !view.doubtful()) {
        ReleaseAction each = surplus(eni, excess, used.plus(eni.pinned()));
        long size = size(each.addresses(), each.blocks());
        boolean preferred = best.isPresent() && tie.compare(eni, best.get()) > 0;
        if (size > most || (size == most && size > 0 && preferred)) {
          best = Optional.of(eni);
          chosen = each;
          most = size;
        }
      }
    }
    return chosen;
  }

  private ReleaseAction surplus(I eni, int excess, AddressSet used) {
    long left = excess;
    List<Cidr> blocks = new ArrayList<>();
    for (int i = eni.prefixes().size() - 1; i >= 0; i--) {
      Cidr block = eni.prefixes().get(i);
      if (block.sizeSaturated() > left) {
        break;
      }
      if (!used.containsAny(block)) {
        blocks.add(block);
        left -= block.sizeSaturated();
      }
    }
    AddressSet free = eni.singles().minus(used);
    return action(eni, free.last((int) Math.min(left, free.size())), blocks);
  }

  /**
   * Exactly these CIDRs, one action per interface; CIDRs that are not attached are omitted.
   *
   * @param usable which interfaces may release addresses
   */
  public List<ReleaseAction> byCidr(InstanceView<I> view, Predicate<I> usable, Set<Cidr> cidrs) {
    List<ReleaseAction> actions = new ArrayList<>();
    for (I eni : view.interfaces()) {
      if (usable.test(eni)) {
        ReleaseAction action = of(eni, cidrs);
        if (!action.isEmpty()) {
          actions.add(action);
        }
      }
    }
    return actions;
  }

  private ReleaseAction of(I eni, Set<Cidr> cidrs) {
    AddressSet.Builder singles = AddressSet.builder();
    for (Cidr cidr : cidrs) {
      if (cidr.isSingle()
          && eni.singles().contains(cidr.first())
          && !eni.pinned().contains(cidr.first())) {
        singles.add(cidr.first());
      }
    }
    List<Cidr> blocks =
        eni.prefixes().stream()
            .filter(block -> cidrs.contains(block) && !eni.pinned().containsAny(block))
            .toList();
    return action(eni, singles.build(), blocks);
  }

  private ReleaseAction action(I eni, AddressSet singles, List<Cidr> blocks) {
    return new ReleaseAction(
        Optional.of(eni.id()), Optional.of(eni.pool()), singles, blocks, firstCall);
  }

  static long size(AddressSet singles, List<Cidr> blocks) {
    long size = singles.size();
    for (Cidr block : blocks) {
      size += block.sizeSaturated();
    }
    return size;
  }

  /** The action that releases nothing. */
  public ReleaseAction nothing() {
    return new ReleaseAction(
        Optional.empty(), Optional.empty(), AddressSet.of(), List.of(), firstCall);
  }
}
