package io.tidemark.nodeid.local;

import java.time.Duration;

/**
 * How addresses of pods are chosen: by an external IPAM or here; whether an external one must
 * choose {@code members} of the node's pod subnet; how long an address that was released here is
 * not handed out.
 */
public record PodRules(boolean external, boolean members, Duration cooldown) {
  /** Addresses are chosen here, and cool for 30 s. */
  public static final PodRules INTERNAL = new PodRules(false, true, Duration.ofSeconds(30));

  /** An external IPAM chooses addresses of the node's pod CIDR. */
  public static final PodRules EXTERNAL = new PodRules(true, true, Duration.ZERO);
}
