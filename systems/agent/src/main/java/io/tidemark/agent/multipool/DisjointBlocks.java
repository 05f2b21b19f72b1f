package io.tidemark.agent.multipool;

import io.tidemark.ip.AddressBitmap;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.Ipv6Address;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Blocks of one family without an address in common, of a bounded size. Not thread-safe. */
final class DisjointBlocks {
  private final TreeMap<IpAddress, Cidr> byFirst = new TreeMap<>();
  private long room = AddressBitmap.CAPACITY_MAX;

  /**
   * Adds a block.
   *
   * @param capacity how many of its addresses are handed out
   * @return why it was not added; null when it was
   */
  @Nullable Rejection add(Cidr cidr, int capacity) {
    if (cidr.network() instanceof Ipv6Address v6 && v6.isIpv4Mapped()) {
      return Rejection.IPV4_MAPPED;
    }
    Map.Entry<IpAddress, Cidr> before = byFirst.floorEntry(cidr.first());
    Map.Entry<IpAddress, Cidr> after = byFirst.ceilingEntry(cidr.first());
    if ((before != null && before.getValue().overlaps(cidr))
        || (after != null && after.getValue().overlaps(cidr))) {
      return Rejection.OVERLAPS;
    }
    if (capacity > room) {
      return Rejection.TOO_LARGE;
    }
    room -= capacity;
    byFirst.put(cidr.first(), cidr);
    return null;
  }
}
