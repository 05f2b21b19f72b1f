package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.inventory.InstanceView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What to give back (node-manager 2.5, 4.9). Pure. Blocks only whole, singles from the highest
 * address down, the primary address never.
 */
final class ReleasePlanner {
  private ReleasePlanner() {}

  /** The interface with most releasable addresses; ties by smallest id. */
  static ReleaseAction byExcess(
      SlotModel slots, InstanceView<Eni> view, int excess, AddressSet used) {
    ReleaseAction best = nothing();
    int most = 0;
    for (Eni eni : view.interfaces()) {
      if (slots.usable(eni) && !view.doubtful()) {
        ReleaseAction each = of(eni, slots, excess, used);
        int size = each.addresses().size() + MockPools.BLOCK_SIZE * each.blocks().size();
        if (size > most) {
          best = each;
          most = size;
        }
      }
    }
    return best;
  }

  /** Exactly these CIDRs, one action per interface; what is not attached is left out. */
  static List<ReleaseAction> byCidr(SlotModel slots, InstanceView<Eni> view, Set<Cidr> cidrs) {
    List<ReleaseAction> actions = new ArrayList<>();
    for (Eni eni : view.interfaces()) {
      if (!slots.usable(eni)) {
        continue;
      }
      AddressSet.Builder singles = AddressSet.builder();
      for (Cidr cidr : cidrs) {
        if (cidr.isSingle() && eni.singles().contains(cidr.first())) {
          singles.add(cidr.first());
        }
      }
      List<Cidr> blocks = eni.prefixes().stream().filter(cidrs::contains).toList();
      ReleaseAction action = action(eni, singles.build(), blocks);
      if (!action.isEmpty()) {
        actions.add(action);
      }
    }
    return actions;
  }

  private static ReleaseAction of(Eni eni, SlotModel slots, int excess, AddressSet used) {
    if (slots.referenceCompatible() && !eni.prefixes().isEmpty()) {
      return nothing();
    }
    int left = excess;
    List<Cidr> blocks = new ArrayList<>();
    for (int i = eni.prefixes().size() - 1; i >= 0 && left >= MockPools.BLOCK_SIZE; i--) {
      Cidr block = eni.prefixes().get(i);
      if (!used.containsAny(block)) {
        blocks.add(block);
        left -= MockPools.BLOCK_SIZE;
      }
    }
    AddressSet free = eni.singles().minus(used);
    return action(eni, free.last(Math.min(left, free.size())), blocks);
  }

  private static ReleaseAction action(Eni eni, AddressSet singles, List<Cidr> blocks) {
    return new ReleaseAction(
        Optional.of(eni.id()),
        Optional.of(eni.pool()),
        singles,
        blocks,
        CloudOperation.UNASSIGN_PRIVATE_IP_ADDRESSES.kind());
  }

  static ReleaseAction nothing() {
    return new ReleaseAction(
        Optional.empty(),
        Optional.empty(),
        AddressSet.of(),
        List.of(),
        CloudOperation.UNASSIGN_PRIVATE_IP_ADDRESSES.kind());
  }
}
