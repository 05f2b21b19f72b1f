package io.tidemark.operator.report;

import io.tidemark.resilience.BucketState;
import io.tidemark.resilience.CallCounts;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The facts of an operator's cloud beside the nodes.
 *
 * @param subnets what is free in each pool; empty where the mode allocates from none
 * @param buckets the token buckets of its accounts, by account and operation
 * @param counts requests sent so far
 * @param underWay changes whose answers are awaited, oldest first; empty where that is not counted
 */
public record CloudFacts(
    Optional<SortedMap<PoolId, PoolQuota>> subnets,
    List<BucketState> buckets,
    CallCounts counts,
    Optional<List<String>> underWay) {
  public CloudFacts {
    subnets = subnets.map(CloudFacts::copy);
    buckets = List.copyOf(buckets);
    underWay = underWay.map(List::copyOf);
  }

  private static SortedMap<PoolId, PoolQuota> copy(SortedMap<PoolId, PoolQuota> subnets) {
    return Collections.unmodifiableSortedMap(new TreeMap<>((Map<PoolId, PoolQuota>) subnets));
  }

  /** Of a mode that counts its requests alone. */
  public static CloudFacts of(CallCounts counts) {
    return new CloudFacts(Optional.empty(), List.of(), counts, Optional.empty());
  }
}
