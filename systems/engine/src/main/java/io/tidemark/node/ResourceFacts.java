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
 * The engine's memory of a resource version: numbers, no document (docs/architecture.md).
 *
 * @param version of the resource
 * @param kind of the node's agent
 * @param spec steering numbers
 * @param poolSize addresses in the object's pool
 * @param used addresses that pods hold, as the agent last published; none of the node itself
 * @param releaseIps the handshake as the object records it
 * @param promisedIpv6 IPv6 prefixes that the provider's settings promise the node and that it lacks
 * @param staticAddress the recorded public address, when it is an IP address
 */
record ResourceFacts(
    String version,
    AgentKind kind,
    IpamSpec spec,
    int poolSize,
    AddressSet used,
    SortedMap<IpAddress, HandshakeState> releaseIps,
    int promisedIpv6,
    Optional<IpAddress> staticAddress) {
  static ResourceFacts of(NodeResource resource) {
    return of(resource, AgentKind.of(AgentKind.Words.of(resource)));
  }

  static ResourceFacts of(NodeResource resource, AgentKind kind) {
    AddressSet used = resource.used();
    return new ResourceFacts(
        resource.resourceVersion(),
        kind,
        resource.ipam(),
        resource.pool().size(),
        used.isEmpty() ? used : used.minus(resource.nodeAddresses().ofMachine()),
        resource.releaseIps(),
        0,
        resource.assignedStaticIp().flatMap(IpAddress::tryParse));
  }

  /** Without used addresses that went with another instance: they serve no pod of this one. */
  ResourceFacts without(AddressSet departed) {
    AddressSet left = used.minus(departed);
    return left.size() == used.size()
        ? this
        : new ResourceFacts(
            version, kind, spec, poolSize, left, releaseIps, promisedIpv6, staticAddress);
  }

  /** With so many IPv6 prefixes that the provider's settings promise. */
  ResourceFacts promising(int prefixes) {
    return prefixes == promisedIpv6
        ? this
        : new ResourceFacts(
            version, kind, spec, poolSize, used, releaseIps, prefixes, staticAddress);
  }

  /** Whether the agent is a multi-pool one (2.8): it requests CIDRs. */
  boolean multiPool() {
    return kind == AgentKind.MULTI_POOL;
  }

  /**
   * Whether CIDRs that the agent drops may be released without its word: not as long as the object
   * says in another way which addresses pods have.
   */
  boolean dropsCidrs() {
    return multiPool() && used.isEmpty();
  }

  /**
   * Addresses in use, derived from the demand for a multi-pool agent (2.8); what is enough for
   * either kind where that is not certain.
   */
  int usedCount() {
    return switch (kind) {
      case SINGLE_ADDRESSES -> used.size();
      case MULTI_POOL -> usedByDemand();
      case UNCERTAIN -> Math.max(used.size(), usedByDemand());
    };
  }

  private int usedByDemand() {
    int pre = spec.preAllocate() == 0 ? Watermarks.DEFAULT_PRE_ALLOCATE : spec.preAllocate();
    return Math.max(0, spec.requested().map(AddressDemand::ipv4).orElse(0) - pre);
  }

  /**
   * IPv6 prefixes wanted: one when IPv6 is requested, as long as none is there (2.8), and those
   * that are promised.
   */
  int ipv6PrefixesNeeded(int attached) {
    boolean wanted = spec.requested().map(demand -> demand.ipv6() > 0).orElse(false);
    return Math.max(wanted && attached == 0 ? 1 : 0, promisedIpv6);
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

  Set<Cidr> allocatedCidrs() {
    return spec.allocatedCidrs();
  }

  /**
   * The kind of a node's agent, by the fields that only that kind writes: an agent of single
   * addresses publishes those in use, a multi-pool agent its demand and its CIDRs. An agent that
   * took the place of one of the other kind may find, and leave, what that one wrote; then the one
   * that was seen to write last is there.
   */
  enum AgentKind {
    /** Uses the pool, and agrees to each release. */
    SINGLE_ADDRESSES,
    /** Uses the CIDRs of interfaces, and drops those that may be released. */
    MULTI_POOL,
    /** Both kinds have written, and neither was seen to: nothing is released. */
    UNCERTAIN;

    /** The fields of an object that agents write. */
    record Words(Optional<AddressDemand> demand, Set<Cidr> cidrs, AddressSet used) {
      static Words of(NodeResource resource) {
        return new Words(
            resource.ipam().requested(), resource.ipam().allocatedCidrs(), resource.used());
      }
    }

    static AgentKind of(Words first) {
      if (first.demand().isEmpty()) {
        return SINGLE_ADDRESSES;
      }
      return first.used().isEmpty() ? MULTI_POOL : UNCERTAIN;
    }

    AgentKind then(Words before, Words after) {
      if (after.demand().isEmpty()) {
        return SINGLE_ADDRESSES;
      }
      boolean demanded =
          !after.demand().equals(before.demand()) || !after.cidrs().equals(before.cidrs());
      // A multi-pool agent clears what its predecessor published; that alone tells nothing.
      boolean published = !after.used().isEmpty() && !after.used().equals(before.used());
      if (demanded && published) {
        return UNCERTAIN;
      }
      return demanded ? MULTI_POOL : published ? SINGLE_ADDRESSES : this;
    }

    /**
     * By a version of which it is not known whether it came before or after {@code last}; who wrote
     * it shows later.
     */
    AgentKind beside(Words last, Words other) {
      if (other.demand().isEmpty()) {
        return SINGLE_ADDRESSES;
      }
      return last.demand().isEmpty() ? UNCERTAIN : this;
    }
  }
}
