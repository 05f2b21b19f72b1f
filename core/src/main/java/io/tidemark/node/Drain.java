package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.AttachedInterface;
import java.util.List;

/**
 * What becomes of the addresses on interfaces that shall be emptied. Pure.
 *
 * <p>Those that no pod holds count as absent when the watermarks ask for more: others come in their
 * place, and as many of them as are not needed meanwhile are surplus. Addresses that pods hold, and
 * blocks with one of those, count as on any other interface.
 *
 * @param interfaces that shall be emptied
 * @param free addresses on them that could go now
 * @param held of the free ones, those that must stay until others have come
 * @param replacing addresses to ask for in place of those, as far as the ceiling allows
 */
record Drain(int interfaces, int free, int held, int replacing) {
  static final Drain NONE = new Drain(0, 0, 0, 0);

  /**
   * What follows from the numbers of one node.
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
    int interfaces = 0;
    int free = 0;
    for (AttachedInterface each : attached) {
      if (each.draining()) {
        interfaces++;
        free += free(each, pods);
      }
    }
    if (free == 0) {
      return new Drain(interfaces, 0, 0, 0);
    }
    int missing = watermarks.neededUncapped(available, used);
    int held = Math.min(free, watermarks.neededUncapped(available - free, used) - missing);
    int room = Math.max(0, watermarks.room(available).orElse(held + missing) - missing);
    return new Drain(interfaces, free, held, closed ? 0 : Math.min(held, room));
  }

  private static int free(AttachedInterface each, AddressSet pods) {
    int free = each.singles().minus(pods).size();
    for (Cidr block : each.blocks()) {
      free +=
          pods.containsAny(block) ? 0 : (int) Math.min(Integer.MAX_VALUE, block.sizeSaturated());
    }
    return free;
  }

  /** Whether something is still to leave. */
  boolean isUnderWay() {
    return free > 0;
  }

  /** Free addresses that nothing needs any more. */
  int surplus() {
    return free - held;
  }
}
