package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.AddressDemand;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * What the engine keeps of a resource version: numbers, no document (docs/architecture.md).
 *
 * @param version of the resource
 * @param spec steering numbers
 * @param poolSize addresses in the object's pool
 * @param used addresses that pods hold, as the agent last published
 * @param releaseIps the handshake as the object records it
 * @param staticAddress the recorded public address, when it is an IP address
 */
record ResourceFacts(
    String version,
    IpamSpec spec,
    int poolSize,
    AddressSet used,
    SortedMap<IpAddress, HandshakeState> releaseIps,
    Optional<IpAddress> staticAddress) {

  static ResourceFacts of(NodeResource resource) {
    return new ResourceFacts(
        resource.resourceVersion(),
        resource.ipam(),
        resource.pool().size(),
        resource.used(),
        resource.releaseIps(),
        resource.assignedStaticIp().flatMap(IpAddress::tryParse));
  }

  /** Whether the agent is a multi-pool one (2.8): it requests, and publishes no use. */
  boolean multiPool() {
    return spec.requested().isPresent() && used.isEmpty();
  }

  /** Addresses in use, derived from the demand for a multi-pool agent (2.8). */
  int usedCount() {
    if (!multiPool()) {
      return used.size();
    }
    int pre = spec.preAllocate() == 0 ? Watermarks.DEFAULT_PRE_ALLOCATE : spec.preAllocate();
    return Math.max(0, spec.requested().map(AddressDemand::ipv4).orElse(0) - pre);
  }

  /** IPv6 prefixes wanted: one when IPv6 is requested, as long as none is there (2.8). */
  int ipv6PrefixesNeeded(int attached) {
    boolean wanted = spec.requested().map(demand -> demand.ipv6() > 0).orElse(false);
    return wanted && attached == 0 ? 1 : 0;
  }

  /** Whether a public address is asked for and the recorded value is not one (C-3). */
  boolean staticAddressNeeded() {
    return !spec.staticIpTags().isEmpty() && staticAddress.isEmpty();
  }

  /** Whether a multi-pool agent has written between {@code before} and this version. */
  boolean agentSpokeSince(ResourceFacts before) {
    return !spec.requested().equals(before.spec.requested())
        || !spec.allocatedCidrs().equals(before.spec.allocatedCidrs());
  }

  /** CIDRs that a multi-pool agent holds. */
  Set<Cidr> allocatedCidrs() {
    return spec.allocatedCidrs();
  }
}
