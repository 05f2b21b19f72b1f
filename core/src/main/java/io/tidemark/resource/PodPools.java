package io.tidemark.resource;

import io.tidemark.ip.Cidr;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * {@code spec.ipam.pools}: what a multi-pool agent requests and which blocks it has, by the name of
 * the pool (allocators 1).
 *
 * @param requested demand by pool, ascending by name; unmodifiable
 * @param allocated blocks by pool, ascending by name; unmodifiable. A pool that several entries
 *     name has the blocks of all of them
 */
public record PodPools(
    SortedMap<String, AddressDemand> requested, SortedMap<String, PoolCidrs> allocated) {
  /** No demand and no blocks. */
  public static final PodPools NONE = new PodPools(new TreeMap<>(), new TreeMap<>());

  public PodPools {
    requested = Collections.unmodifiableSortedMap(new TreeMap<>(requested));
    allocated = Collections.unmodifiableSortedMap(new TreeMap<>(allocated));
  }

  /**
   * The blocks of one pool.
   *
   * @param cidrs of both families, in the order of the object, each once
   * @param allowFirst whether the first address of each block may be handed out
   * @param allowLast whether the last one may
   */
  public record PoolCidrs(List<Cidr> cidrs, boolean allowFirst, boolean allowLast) {
    /** Blocks whose network and broadcast addresses are not handed out. */
    public static PoolCidrs of(Cidr... cidrs) {
      return new PoolCidrs(List.of(cidrs), false, false);
    }

    /** Other blocks with the same rule about their first and last addresses. */
    public PoolCidrs with(List<Cidr> others) {
      return new PoolCidrs(others, allowFirst, allowLast);
    }
  }
}
