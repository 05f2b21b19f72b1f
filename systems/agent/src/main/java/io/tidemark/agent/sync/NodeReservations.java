package io.tidemark.agent.sync;

import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeAddresses;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * Keeps the addresses of the node itself from pods (allocators 9): each is reserved in every pool
 * as long as the node's object names it. One lane calls it.
 */
public final class NodeReservations {
  private final Map<PoolName, SortedMap<IpAddress, String>> reserved = new HashMap<>();

  /** A version names these; to be called before its addresses are handed out. */
  public void keep(NodeAddresses now, Collection<PoolName> pools, Ipam ipam) {
    for (PoolName pool : pools) {
      SortedMap<IpAddress, String> before =
          reserved.getOrDefault(pool, Collections.emptySortedMap());
      if (!before.equals(now.owners())) {
        now.owners()
            .forEach(
                (ip, owner) -> {
                  if (!owner.equals(before.get(ip))) {
                    ipam.exclude(Cidr.single(ip), owner, pool);
                  }
                });
        before.keySet().stream()
            .filter(ip -> !now.owners().containsKey(ip))
            .forEach(ip -> ipam.include(Cidr.single(ip), pool));
        reserved.put(pool, now.owners());
      }
    }
  }
}
