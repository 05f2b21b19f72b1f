package io.tidemark.testing;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.AddressDemand;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.UsedAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Builds a {@link NodeResource}; what is not said is absent. Values are not checked. */
public final class NodeSample {
  private static final IpAddress FIRST_USED = IpAddress.parse("1.1.1.1");

  private final Map<String, AddressSet> pool = new TreeMap<>();
  private final SortedMap<IpAddress, UsedAddress> used = new TreeMap<>();
  private final Map<IpAddress, HandshakeState> releaseIps = new HashMap<>();
  private final SortedMap<String, EniStatus.Eni> enis = new TreeMap<>();
  private final Map<String, String> staticIpTags = new HashMap<>();
  private final Set<Cidr> allocated = new HashSet<>();
  private NodeResource resource;
  private int preAllocate;
  private int minAllocate;
  private int maxAllocate;
  private int maxAboveWatermark;
  private Optional<AddressDemand> requested = Optional.empty();

  NodeSample(String name) {
    resource = NodeResource.named(name);
  }

  public NodeSample instanceId(String instanceId) {
    resource = resource.withInstanceId(instanceId);
    return this;
  }

  public NodeSample resourceVersion(String version) {
    resource = resource.withResourceVersion(version);
    return this;
  }

  public NodeSample preAllocate(int addresses) {
    preAllocate = addresses;
    return this;
  }

  public NodeSample minAllocate(int addresses) {
    minAllocate = addresses;
    return this;
  }

  public NodeSample maxAllocate(int addresses) {
    maxAllocate = addresses;
    return this;
  }

  public NodeSample maxAboveWatermark(int addresses) {
    maxAboveWatermark = addresses;
    return this;
  }

  public NodeSample staticIpTag(String key, String value) {
    staticIpTags.put(key, value);
    return this;
  }

  /** Demand of a multi-pool agent on its pool {@code default}. */
  public NodeSample requested(int ipv4, int ipv6) {
    requested = Optional.of(new AddressDemand(ipv4, ipv6));
    return this;
  }

  /** CIDRs that a multi-pool agent holds. */
  public NodeSample allocated(String... cidrs) {
    for (String each : cidrs) {
      allocated.add(Cidr.parse(each));
    }
    return this;
  }

  /** Adds pool addresses of one interface. */
  public NodeSample pool(String interfaceId, String... addresses) {
    return pool(interfaceId, addressesOf(addresses));
  }

  /** Adds pool addresses of one interface. */
  public NodeSample pool(String interfaceId, AddressSet addresses) {
    pool.merge(interfaceId, addresses, AddressSet::plus);
    return this;
  }

  /** The first {@code count} addresses from 1.1.1.1 are in use. */
  public NodeSample used(int count) {
    for (int i = 0; i < count; i++) {
      used.put(FIRST_USED.plus(i), new UsedAddress("default/pod-" + i, ""));
    }
    return this;
  }

  /** These addresses are in use. */
  public NodeSample used(String... addresses) {
    for (String each : addresses) {
      used(each, "default/pod-" + used.size(), "");
    }
    return this;
  }

  public NodeSample used(String address, String owner, String interfaceId) {
    used.put(IpAddress.parse(address), new UsedAddress(owner, interfaceId));
    return this;
  }

  public NodeSample releaseIp(String address, HandshakeState state) {
    releaseIps.put(IpAddress.parse(address), state);
    return this;
  }

  public NodeSample eniSpec(EniSpec eni) {
    resource = resource.withEniSpec(eni);
    return this;
  }

  /** Adds an interface to {@code status.eni}. */
  public NodeSample eni(EniStatus.Eni eni) {
    enis.put(eni.id(), eni);
    return this;
  }

  public NodeResource build() {
    IpamSpec ipam =
        new IpamSpec(
            preAllocate,
            minAllocate,
            maxAllocate,
            maxAboveWatermark,
            staticIpTags,
            requested,
            allocated);
    NodeResource built = resource.withIpam(ipam).withPool(PodIpPool.of(pool));
    built = built.withUsed(used).withReleaseIps(releaseIps);
    return enis.isEmpty() ? built : built.withEniStatus(new EniStatus(enis));
  }

  private static AddressSet addressesOf(String... texts) {
    AddressSet.Builder addresses = AddressSet.builder();
    for (String each : texts) {
      addresses.add(IpAddress.parse(each));
    }
    return addresses.build();
  }
}
