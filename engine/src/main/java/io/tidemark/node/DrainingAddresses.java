package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.AttachedInterface;
import java.util.ArrayList;
import java.util.List;

/**
 * What interfaces that shall be emptied hold. Pure.
 *
 * @param interfaces that shall be emptied
 * @param inUse addresses on them that pods hold
 * @param idle addresses on them that no pod holds
 * @param singles of the idle ones, those that can leave one by one
 * @param blocks of which no pod holds any address
 * @param unit addresses that leave at least when anything leaves, now or once pods end; 0 when
 *     nothing is idle
 */
record DrainingAddresses(
    int interfaces, int inUse, int idle, int singles, List<Cidr> blocks, int unit) {
  DrainingAddresses {
    blocks = List.copyOf(blocks);
  }

  static DrainingAddresses of(List<AttachedInterface> attached, AddressSet pods) {
    int interfaces = 0;
    int held = 0;
    int inUse = 0;
    int singles = 0;
    int smallest = 0;
    List<Cidr> blocks = new ArrayList<>();
    for (AttachedInterface each : attached) {
      if (each.draining()) {
        int free = each.singles().minus(pods).size();
        interfaces++;
        held += each.size();
        inUse += each.singles().size() - free;
        singles += free;
        for (Cidr block : each.blocks()) {
          int used = pods.countIn(block);
          inUse += used;
          smallest = smallest == 0 ? size(block) : Math.min(smallest, size(block));
          if (used == 0) {
            blocks.add(block);
          }
        }
      }
    }
    return new DrainingAddresses(
        interfaces, inUse, held - inUse, singles, blocks, singles > 0 ? 1 : smallest);
  }

  /** How many can leave now, {@code most} at most: blocks go whole. */
  int leaving(int most) {
    int left = most;
    for (Cidr block : blocks) {
      left -= size(block) <= left ? size(block) : 0;
    }
    return most - left + Math.min(left, singles);
  }

  private static int size(Cidr block) {
    return (int) Math.min(Integer.MAX_VALUE, block.sizeSaturated());
  }
}
