package io.tidemark.kubernetes.migration;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The pools of all CiliumNodes, counted. Immutable.
 *
 * @param nodes CiliumNodes
 * @param filled of them, those with an address in the pool or a CIDR
 * @param used addresses in use
 * @param releasing addresses in the release handshake
 * @param stray nodes with a used address that is not in their pool, the first few by name
 * @param strayCount how many of these nodes there are
 */
public record PoolCensus(
    int nodes, int filled, int used, int releasing, List<String> stray, int strayCount) {
  static final PoolCensus EMPTY = new PoolCensus(0, 0, 0, 0, List.of(), 0);

  private static final int NAMES_MAX = 5;

  public PoolCensus {
    stray = List.copyOf(stray);
  }

  /** With one CiliumNode more, as the server sent it. */
  PoolCensus with(JsonNode node) {
    JsonNode ipam = node.at("/spec/ipam");
    JsonNode pool = ipam.path("pool");
    JsonNode inUse = node.at("/status/ipam/used");
    boolean isStray = !pool.isEmpty() && hasOther(inUse, pool);
    List<String> names = new ArrayList<>(stray);
    if (isStray && names.size() < NAMES_MAX) {
      names.add(node.at("/metadata/name").asText());
    }
    return new PoolCensus(
        nodes + 1,
        filled + (pool.isEmpty() && ipam.path("podCIDRs").isEmpty() ? 0 : 1),
        used + inUse.size(),
        releasing + node.at("/status/ipam/release-ips").size(),
        names,
        strayCount + (isStray ? 1 : 0));
  }

  private static boolean hasOther(JsonNode inUse, JsonNode pool) {
    for (Map.Entry<String, JsonNode> each : inUse.properties()) {
      if (!pool.has(each.getKey())) {
        return true;
      }
    }
    return false;
  }
}
