package io.tidemark.agent.eni;

import io.tidemark.agent.InterfaceDetails;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.crd.InterfaceCatalog;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.agent.multipool.OfferedCidrs;
import io.tidemark.agent.multipool.RangeSource;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodPools;
import io.tidemark.resource.PodPools.PoolCidrs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The blocks of the interfaces in the status, all in one pool: the operator attaches them, and the
 * agent lists in {@code pools.allocated} those that it has (allocators 6). Every address of a block
 * is handed out, but none of the node itself. A block is not drawn from while its interface is not
 * on this machine.
 */
abstract class InterfaceRanges implements RangeSource {
  private final PoolName pool;
  private final LocalInterfaces here;

  /** An interface for pods, and its blocks in the order of the object. */
  record Holder(String id, String mac, List<Cidr> blocks) {}

  InterfaceRanges(PoolName pool, LocalInterfaces here) {
    this.pool = pool;
    this.here = here;
  }

  /** The interfaces for pods; none while the status does not say. */
  abstract List<Holder> holders(NodeResource resource);

  /** Traffic details of their addresses. */
  abstract InterfaceCatalog catalog(NodeResource resource);

  /** {@code spec.ipam.pre-allocate}, when it is above 0. */
  @Override
  public final OptionalInt preAllocation(NodeResource resource) {
    int addresses = resource.ipam().preAllocate();
    return addresses > 0 ? OptionalInt.of(addresses) : OptionalInt.empty();
  }

  @Override
  public final Map<PoolName, OfferedCidrs> offers(NodeResource resource) {
    List<Holder> holders = holders(resource);
    if (holders.isEmpty()) {
      return Map.of();
    }
    InterfaceCatalog catalog = catalog(resource);
    Set<IpAddress> ofTheNode = resource.nodeAddresses().owners().keySet();
    Set<Cidr> blocks = new HashSet<>();
    List<Cidr> ordered = new ArrayList<>();
    Map<Cidr, InterfaceDetails> interfaces = new HashMap<>();
    for (Holder holder : holders) {
      boolean present = here.present(holder.id(), holder.mac());
      for (Cidr each : holder.blocks()) {
        if (!(each.isSingle() && ofTheNode.contains(each.first())) && blocks.add(each)) {
          ordered.add(each);
          if (present) {
            catalog
                .find(holder.id(), each.family())
                .ifPresent(found -> interfaces.put(each, found));
          }
        }
      }
    }
    OfferedCidrs offer =
        new OfferedCidrs(
            ordered,
            listed(resource),
            OfferedCidrs.Edges.BOTH,
            !resource.pools().equals(PodPools.NONE),
            releasing(ordered, resource),
            Optional.of(interfaces));
    return Map.of(pool, offer);
  }

  private static Set<Cidr> releasing(List<Cidr> blocks, NodeResource resource) {
    AddressSet leaving = AddressSet.copyOf(resource.releaseIps().keySet());
    return leaving.isEmpty()
        ? Set.of()
        : blocks.stream().filter(leaving::containsAny).collect(Collectors.toSet());
  }

  private Set<Cidr> listed(NodeResource resource) {
    PoolCidrs own = resource.pools().allocated().get(pool.value());
    return own == null ? Set.of() : new HashSet<>(own.cidrs());
  }

  @Override
  public final boolean agentLists() {
    return true;
  }
}
