package io.tidemark.provider.aws.eni;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.inventory.InstanceView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What to give back (provider-aws 3.4, 3.5). Pure. Prefixes only whole and only while the surplus
 * covers them, singles from the highest address down, the primary address never.
 */
final class ReleasePlanner {
  private ReleasePlanner() {}

  /** The interface with most releasable addresses; of equal ones that of the highest index. */
  static ReleaseAction byExcess(
      SlotModel slots, InstanceView<Eni> view, int excess, AddressSet used) {
    ReleaseAction best = nothing();
    int most = 0;
    int index = -1;
    for (Eni eni : view.interfaces()) {
      if (slots.usable(eni) && !view.doubtful()) {
        ReleaseAction each = of(eni, slots, excess, used);
        int size = each.addresses().size() + SlotModel.BLOCK_SIZE * each.blocks().size();
        if (size > most || (size == most && size > 0 && eni.index() > index)) {
          best = each;
          most = size;
          index = eni.index();
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
    if (slots.parity().sticky() && !eni.prefixes().isEmpty()) {
      return nothing();
    }
    int left = excess;
    List<Cidr> blocks = new ArrayList<>();
    for (int i = eni.prefixes().size() - 1; i >= 0 && left >= SlotModel.BLOCK_SIZE; i--) {
      Cidr block = eni.prefixes().get(i);
      if (!used.containsAny(block)) {
        blocks.add(block);
        left -= SlotModel.BLOCK_SIZE;
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
        Ec2Operation.UNASSIGN_PRIVATE_IP_ADDRESSES.kind());
  }

  static ReleaseAction nothing() {
    return new ReleaseAction(
        Optional.empty(),
        Optional.empty(),
        AddressSet.of(),
        List.of(),
        Ec2Operation.UNASSIGN_PRIVATE_IP_ADDRESSES.kind());
  }
}
