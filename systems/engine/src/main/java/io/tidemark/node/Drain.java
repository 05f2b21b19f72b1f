package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.AttachedInterface;
import java.util.ArrayList;
import java.util.List;

/**
 * The fate of the addresses on draining interfaces. Pure.
 *
 * <p>Those that no pod holds count as absent, blocks with pods included, so that what pods do there
 * changes nothing elsewhere: others come in their place, and then they are surplus, blocks whole.
 * While others are still to come, only what the node has too many of in all may leave.
 *
 * @param interfaces interfaces that are drained
 * @param inUse addresses on them that pods hold: they count as on any other interface
 * @param idle addresses on them that no pod holds
 * @param held addresses that must come before all of the idle ones may leave
 * @param replacing of those, how many to ask for: as far as the ceiling allows, and only where
 *     something can leave then
 * @param leaving of the idle ones, those that may leave now
 */
record Drain(int interfaces, int inUse, int idle, int held, int replacing, int leaving) {
  static final Drain NONE = new Drain(0, 0, 0, 0, 0, 0);

  /**
   * The consequences of the numbers of one node.
   *
   * @param available all attached addresses, those on interfaces to be emptied included
   * @param pods which addresses pods hold
   * @param closed no new pods come: nothing is asked for in place of what is there
   */
  static Drain of(
      List<AttachedInterface> attached,
      Watermarks watermarks,
      int available,
      int used,
      AddressSet pods,
      boolean closed) {
    Held there = Held.of(attached, pods);
    int missing = watermarks.neededUncapped(available, used);
    int held = watermarks.neededUncapped(available - there.idle(), used) - missing;
    int may = held == 0 ? there.idle() : watermarks.excess(available, used);
    return new Drain(
        there.interfaces(),
        there.inUse(),
        there.idle(),
        held,
        closed ? 0 : replacing(there, watermarks, available, used, held, missing),
        there.leaving(Math.min(there.idle(), may)));
  }

  private static int replacing(
      Held there, Watermarks watermarks, int available, int used, int held, int missing) {
    int room = watermarks.room(available).orElse(Integer.MAX_VALUE);
    int places = Math.max(0, room - missing);
    if (held <= places) {
      return held;
    }
    boolean helps = watermarks.excess(available + room, used) >= there.unit();
    return helps ? places : 0;
  }

  /**
   * The addresses that draining interfaces hold.
   *
   * @param idle addresses on them that no pod holds
   * @param singles of the idle ones, those that can leave one by one
   * @param blocks of which no pod holds any address
   * @param unit addresses that leave at least when anything leaves, now or once pods end; 0 when
   *     nothing is idle
   */
  private record Held(
      int interfaces, int inUse, int idle, int singles, List<Cidr> blocks, int unit) {
    static Held of(List<AttachedInterface> attached, AddressSet pods) {
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
      return new Held(interfaces, inUse, held - inUse, singles, blocks, singles > 0 ? 1 : smallest);
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
}
