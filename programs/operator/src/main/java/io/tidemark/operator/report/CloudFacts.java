package io.tidemark.operator.report;

import io.tidemark.resilience.BucketState;
import io.tidemark.resilience.CallCounts;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The facts of an operator's cloud beside the nodes.
 *
 * @param subnets what is free in each pool; empty where the mode allocates from none
 * @param daysLeft for how many days that lasts, of the pools of which it can be said
 * @param buckets the token buckets of its accounts, by account and operation
 * @param counts requests sent so far
 * @param underWay changes whose answers are awaited, oldest first; empty where that is not counted
 */
public record CloudFacts(
    Optional<SortedMap<PoolId, PoolQuota>> subnets,
    Map<PoolId, Double> daysLeft,
    List<BucketState> buckets,
    CallCounts counts,
    Optional<List<String>> underWay) {

  /** Of a mode that counts its requests alone. */
  public static CloudFacts of(CallCounts counts) {
    return new CloudFacts(Optional.empty(), Map.of(), List.of(), counts, Optional.empty());
  }
}
