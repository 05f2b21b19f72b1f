package io.tidemark.kubernetes.migration;

import java.util.List;
import java.util.stream.Stream;

/**
 * The pools of CiliumNodes, counted. Immutable.
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
    stray = stray.stream().limit(NAMES_MAX).toList();
  }

  PoolCensus plus(PoolCensus other) {
    return new PoolCensus(
        nodes + other.nodes,
        filled + other.filled,
        used + other.used,
        releasing + other.releasing,
        Stream.concat(stray.stream(), other.stray.stream()).toList(),
        strayCount + other.strayCount);
  }
}
