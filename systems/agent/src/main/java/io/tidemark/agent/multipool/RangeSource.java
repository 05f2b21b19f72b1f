package io.tidemark.agent.multipool;

import io.tidemark.agent.PoolName;
import io.tidemark.agent.multipool.OfferedCidrs.Edges;
import io.tidemark.resource.NodeResource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Where in the node's object the blocks of pools come from. Pure. */
public interface RangeSource {
  /**
   * {@code spec.ipam.pools.allocated}: the operator adds blocks to the list, the agent takes out
   * those that it gives back.
   */
  RangeSource ALLOCATED =
      new RangeSource() {
        @Override
        public Map<PoolName, OfferedCidrs> offers(NodeResource resource) {
          Map<PoolName, OfferedCidrs> offers = new TreeMap<>();
          resource
              .pools()
              .allocated()
              .forEach(
                  (pool, blocks) ->
                      offers.put(
                          new PoolName(pool),
                          OfferedCidrs.of(
                              blocks.cidrs(), new Edges(blocks.allowFirst(), blocks.allowLast()))));
          return offers;
        }

        @Override
        public boolean agentLists() {
          return false;
        }
      };

  /**
   * Whether an object is of an instance, and not of an earlier one of the same node name (A84).
   *
   * @param instance its id; empty where none is checked
   */
  default boolean isOf(Optional<String> instance, NodeResource resource) {
    return instance.isEmpty() || resource.instanceId().equals(instance);
  }

  /**
   * Why a version cannot be used, so that the one before it counts on; empty when it can. Others
   * write parts of the object one after the other.
   */
  default Optional<String> contradiction(NodeResource resource) {
    return Optional.empty();
  }

  /** Free addresses to have at hand, if the object says so. */
  default OptionalInt preAllocation(NodeResource resource) {
    return OptionalInt.empty();
  }

  /** The offers of the object, by pool. A pool that it does not name has no offer. */
  Map<PoolName, OfferedCidrs> offers(NodeResource resource);

  /**
   * Whether the agent lists the blocks that it has in {@code pools.allocated} itself; else the
   * operator lists them, and the agent takes out those that it gives back.
   */
  boolean agentLists();
}
