package io.tidemark.agent.crd;

import io.tidemark.agent.PoolSnapshot;
import io.tidemark.resource.IpamSpec;
import java.util.List;
import java.util.Optional;

/**
 * How many addresses of each family a node must have before its agent serves (allocators 4.1).
 *
 * @param healthChecking whether the agent takes an address for its own health checks
 */
public record StartRule(boolean healthChecking) {
  /** The number by the node's own settings. */
  public int required(IpamSpec ipam) {
    if (ipam.minAllocate() > 0) {
      return ipam.minAllocate();
    }
    if (ipam.preAllocate() > 0) {
      return ipam.preAllocate();
    }
    return healthChecking ? 2 : 1;
  }

  /** Addresses that are in use, or can be handed out. Withheld ones do not count. */
  public static int usable(PoolSnapshot pool) {
    return pool.counts().available() + pool.counts().used();
  }

  /** Description of what is missing, for people; empty when there is enough. */
  public Optional<String> missing(IpamSpec ipam, List<PoolSnapshot> pools) {
    int required = required(ipam);
    return pools.stream()
        .filter(each -> usable(each) < required)
        .map(
            each ->
                usable(each)
                    + " "
                    + each.family()
                    + " addresses of "
                    + required
                    + " that are required; the operator adds them")
        .findFirst();
  }
}
