package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.ResourceFacts.AgentKind;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The operator's content of a resource (node-manager 6.2, 6.4). Pure: the same inventory and
 * handshake on the same object give the same object. An address that a pod uses stays in the pool,
 * under the interface that the object names, until it may leave.
 *
 * @param pool what the cloud shows, taken before the status is made (6.1)
 * @param mayLeave used addresses that need not stay in the pool when the cloud does not show them
 * @param reader the node's agent; a multi-pool one knows no release handshake
 */
record NodePublication(
    Inventory.Known inventory,
    PodIpPool pool,
    AddressSet mayLeave,
    ReleaseHandshake handshake,
    int minimumAllocatable,
    AgentKind reader) {

  /** Every attached address under its interface, blocks expanded, but for {@code unproven}. */
  static PodIpPool pool(Inventory.Known inventory, AddressSet unproven) {
    Map<String, AddressSet> byInterface = new TreeMap<>();
    for (AttachedInterface each : inventory.interfaces()) {
      AddressSet all = each.addresses();
      byInterface.put(each.id().text(), unproven.isEmpty() ? all : all.minus(unproven));
    }
    return PodIpPool.of(byInterface);
  }

  /**
   * {@code base} with the status we want; {@code used} is left as it was read (NM-S1). What its
   * pool has under an interface that does not hold it any more is called released until the spec is
   * written, so that no agent takes it there; see {@link #moves}.
   */
  NodeResource status(NodeResource base, NodeOperations operations) {
    NodeResource changed = operations.withProviderStatus(base);
    AddressSet unattachedInPool = base.pool().notIn(pool(base));
    changed =
        changed.withReleaseIps(
            reader == AgentKind.MULTI_POOL
                ? Map.of()
                : handshake.publish(base.releaseIps(), unattachedInPool));
    Optional<IpAddress> staticAddress = inventory.statistics().staticAddress();
    return staticAddress.isPresent() ? changed.withAssignedStaticIp(staticAddress.get()) : changed;
  }

  /** Whether an address changes its interface, so that the status is due again after the spec. */
  boolean moves(NodeResource base) {
    AddressSet elsewhere = base.pool().notIn(pool);
    return !elsewhere.isEmpty() && !elsewhere.intersect(pool.addresses()).isEmpty();
  }

  /** Whether the provider shows what this was made of; its status was then of the same moment. */
  boolean isOf(Inventory shown) {
    return shown.equals(inventory);
  }

  /** Addresses of the object's pool that pods use and that the cloud does not show. */
  private AddressSet kept(NodeResource base) {
    AddressSet.Builder kept = AddressSet.builder();
    for (IpAddress address : base.used()) {
      if (!mayLeave.contains(address) && !pool.contains(address) && base.pool().contains(address)) {
        kept.add(address);
      }
    }
    return kept.build();
  }

  private PodIpPool pool(NodeResource base) {
    AddressSet kept = kept(base);
    if (kept.isEmpty()) {
      return pool;
    }
    Map<String, AddressSet> byInterface = new TreeMap<>(pool.byResource());
    for (IpAddress address : kept) {
      String holder = base.pool().resource(address).orElse("");
      byInterface.merge(holder, AddressSet.of(address), AddressSet::plus);
    }
    return PodIpPool.of(byInterface);
  }

  NodeResource spec(NodeResource base) {
    NodeResource changed = base.withPool(pool(base));
    return base.ipam().preAllocate() == 0 && minimumAllocatable > 0
        ? changed.withPreAllocate(minimumAllocatable)
        : changed;
  }
}
