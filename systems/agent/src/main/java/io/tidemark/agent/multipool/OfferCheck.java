package io.tidemark.agent.multipool;

import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The addresses on offer that are neither handed out nor explained (A79): each block that is
 * offered is drawn from, in quarantine, dropped or rejected, and each address of a block that is
 * drawn from is free, in use, cooling or reserved. Anything else is a fault of the agent, and pods
 * may wait for addresses that the node has.
 */
final class OfferCheck {
  private OfferCheck() {}

  /** How many addresses of which blocks are unexplained; none when all is well. */
  static SortedMap<Cidr, Integer> unexplained(
      OfferedCidrs offer, RangeAllocator ranges, Function<IpAddress, @Nullable Held> use) {
    SortedMap<Cidr, Integer> found = new TreeMap<>();
    for (CidrEntry each : ranges.states().entries()) {
      int addresses = unexplained(each, ranges, use);
      if (addresses > 0) {
        found.put(each.cidr(), addresses);
      }
    }
    for (Cidr each : offer.cidrs()) {
      if (!ranges.states().dropped().contains(each)
          && !ranges.states().rejected().containsKey(each)
          && ranges.range(each) < 0) {
        found.put(each, CidrEntry.drawn(each, offer.edges()).capacity());
      }
    }
    return found;
  }

  private static int unexplained(
      CidrEntry entry, RangeAllocator ranges, Function<IpAddress, @Nullable Held> use) {
    int range = ranges.range(entry.cidr());
    if (range < 0 || !entry.isDrawn() || !ranges.hasInterface(entry)) {
      return 0;
    }
    int free = ranges.freeIn(range);
    int leaked = ranges.countTaken(entry.cidr(), ip -> use.apply(ip) == null);
    return ranges.isReachable(range) ? leaked : leaked + free;
  }
}
