package io.tidemark.simulation;

import io.tidemark.node.NodeReport;
import io.tidemark.resilience.BucketState;
import io.tidemark.resilience.CallCounts;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A moment of a run, as the operator that was started first sees it. Immutable.
 *
 * @param at virtual time
 * @param nodes the state of each node, by name
 * @param pools what is free in each pool
 * @param buckets the token buckets of the cloud's account
 * @param counts requests of all operators that reached the cloud, as the report counts them
 */
public record OperatorSnapshot(
    Duration at,
    List<NodeReport> nodes,
    Map<PoolId, PoolQuota> pools,
    List<BucketState> buckets,
    CallCounts counts) {
  public OperatorSnapshot {
    nodes = List.copyOf(nodes);
    pools = Map.copyOf(pools);
    buckets = List.copyOf(buckets);
  }
}
