package io.tidemark.resource;

import io.tidemark.ip.Cidr;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The part of {@code spec.ipam} that controls the operator, without the pool; absent numbers are 0
 * (1.2).
 *
 * @param preAllocate free addresses to keep, as written
 * @param minAllocate floor of attached addresses, as written
 * @param maxAllocate ceiling, 0 for the instance's own, as written
 * @param maxAboveWatermark extra addresses per allocation pass, as written
 * @param staticIpTags selects one static public address; empty for none
 * @param requested demand of a multi-pool agent on pool {@code default}
 * @param allocatedCidrs CIDRs that a multi-pool agent currently holds, of all its pools
 */
public record IpamSpec(
    int preAllocate,
    int minAllocate,
    int maxAllocate,
    int maxAboveWatermark,
    Map<String, String> staticIpTags,
    Optional<AddressDemand> requested,
    Set<Cidr> allocatedCidrs) {
  public IpamSpec {
    staticIpTags = Map.copyOf(staticIpTags);
    allocatedCidrs = Set.copyOf(allocatedCidrs);
  }

  /** Watermarks alone. */
  public static IpamSpec of(int pre, int min, int max, int above) {
    return new IpamSpec(pre, min, max, above, Map.of(), Optional.empty(), Set.of());
  }
}
