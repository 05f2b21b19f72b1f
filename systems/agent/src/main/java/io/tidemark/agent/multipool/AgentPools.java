package io.tidemark.agent.multipool;

import io.tidemark.ip.Cidr;
import io.tidemark.resource.AddressDemand;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodPools;
import io.tidemark.resource.PodPools.PoolCidrs;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The agent's report about its pools at an instant.
 *
 * @param requested demand by pool
 * @param blocks what it has and has given back, by pool
 * @param agentLists see {@link RangeSource#agentLists()}
 */
record AgentPools(
    SortedMap<String, AddressDemand> requested,
    SortedMap<String, Blocks> blocks,
    boolean agentLists) {
  /**
   * The blocks of one pool.
   *
   * @param held taken up, in order
   * @param withdrawn those of them that are no longer offered, and used
   * @param dropped given back, and still offered
   * @param edges which of their addresses are handed out
   */
  record Blocks(List<Cidr> held, Set<Cidr> withdrawn, Set<Cidr> dropped, OfferedCidrs.Edges edges) {
    static Blocks of(Collection<FamilyPool> families) {
      List<Cidr> held = new ArrayList<>();
      Set<Cidr> withdrawn = new HashSet<>();
      Set<Cidr> dropped = new HashSet<>();
      OfferedCidrs.Edges edges = OfferedCidrs.Edges.NONE;
      for (FamilyPool each : families) {
        for (CidrEntry entry : each.ranges().states().entries()) {
          held.add(entry.cidr());
          edges = entry.edges();
          if (entry.withdrawn()) {
            withdrawn.add(entry.cidr());
          }
        }
        dropped.addAll(each.ranges().states().dropped());
      }
      return new Blocks(held, withdrawn, dropped, edges);
    }
  }

  /** The object with demand and blocks as the agent has them; the operator's order stays. */
  NodeResource apply(NodeResource base) {
    SortedMap<String, PoolCidrs> before = base.pools().allocated();
    SortedMap<String, PoolCidrs> allocated = new TreeMap<>();
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(blocks.keySet());
    for (String name : names) {
      PoolCidrs written = before.get(name);
      Blocks own = blocks.get(name);
      PoolCidrs next = own == null ? written : listed(written, own);
      if (next != null && !next.cidrs().isEmpty()) {
        allocated.put(name, next);
      }
    }
    return base.withPools(new PodPools(requested, allocated));
  }

  private PoolCidrs listed(@Nullable PoolCidrs written, Blocks own) {
    PoolCidrs present =
        written == null
            ? new PoolCidrs(List.of(), own.edges().first(), own.edges().last())
            : written;
    Set<Cidr> held = new LinkedHashSet<>(own.held());
    List<Cidr> cidrs = new ArrayList<>();
    for (Cidr each : present.cidrs()) {
      if (agentLists ? held.contains(each) : !own.dropped().contains(each)) {
        cidrs.add(each);
      }
    }
    Set<Cidr> missing = new LinkedHashSet<>(agentLists ? own.held() : own.withdrawn());
    cidrs.forEach(missing::remove);
    cidrs.addAll(missing);
    return present.with(cidrs);
  }
}
