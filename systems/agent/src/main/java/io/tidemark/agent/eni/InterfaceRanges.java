package io.tidemark.agent.eni;

import io.tidemark.agent.InterfaceDetails;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.InterfaceCatalog;
import io.tidemark.agent.crd.InterfaceConsistency;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.agent.multipool.OfferedCidrs;
import io.tidemark.agent.multipool.RangeSource;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.CidrSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.EniStatus.Eni;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodPools;
import io.tidemark.resource.PodPools.PoolCidrs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The blocks of the interfaces in the status, all in one pool: the operator attaches them, and the
 * agent lists in {@code pools.allocated} those that it has (allocators 6). Those of EC2 are
 * delegated prefixes, and each other address by itself; of Azure, whose status lists the addresses
 * of delegated blocks one by one, each address. Every address of a block is handed out, but none of
 * the node itself. A block is not drawn from while its interface is not on this machine.
 */
public final class InterfaceRanges implements RangeSource {
  private final CrdMode cloud;
  private final PoolName pool;
  private final LocalInterfaces here;
  private final List<Cidr> nativeRouting;

  /** An interface for pods, and its blocks in the order of the object. */
  private record Holder(String id, String mac, List<Cidr> blocks) {}

  /**
   * A source.
   *
   * @param cloud of the interfaces
   * @param pool the pool of all blocks
   * @param here which interfaces this machine has
   * @param nativeRouting blocks that are reached without translation, with EC2
   */
  public InterfaceRanges(
      CrdMode cloud, PoolName pool, LocalInterfaces here, List<Cidr> nativeRouting) {
    this.cloud = cloud;
    this.pool = pool;
    this.here = here;
    this.nativeRouting = List.copyOf(nativeRouting);
  }

  @Override
  public boolean isOf(Optional<String> instance, NodeResource resource) {
    return cloud.isOf(instance, resource);
  }

  @Override
  public Optional<String> contradiction(NodeResource resource) {
    return cloud == CrdMode.ENI
        ? InterfaceConsistency.of(cloud, resource).stream()
            .map(InterfaceConsistency.Contradiction::text)
            .findFirst()
        : Optional.empty();
  }

  /** The interfaces for pods; none while the status does not say. */
  private List<Holder> holders(NodeResource resource) {
    return cloud == CrdMode.ENI ? ofEc2(resource) : ofAzure(resource);
  }

  private static List<Holder> ofEc2(NodeResource resource) {
    EniSpec spec = resource.eniSpec().orElse(EniSpec.EMPTY);
    return resource.eniStatus().stream()
        .flatMap(status -> forPods(status, spec))
        .map(eni -> new Holder(eni.id(), eni.mac(), blocks(eni)))
        .toList();
  }

  /** All but those that the spec excludes by index or tags. */
  static Stream<Eni> forPods(EniStatus status, EniSpec spec) {
    Map<String, String> tags = spec.excludeInterfaceTags();
    return status.enis().values().stream()
        .filter(eni -> eni.number() >= spec.firstInterfaceIndex().orElse(0))
        .filter(eni -> tags.isEmpty() || !eni.tags().entrySet().containsAll(tags.entrySet()));
  }

  /** Delegated prefixes, and each usable address that is in none of them by itself. */
  static List<Cidr> blocks(Eni eni) {
    Set<Cidr> blocks = new LinkedHashSet<>();
    blocks.addAll(eni.prefixes());
    blocks.addAll(eni.ipv6Prefixes());
    CidrSet prefixes = CidrSet.copyOf(blocks);
    for (IpAddress each : eni.addresses()) {
      if (!prefixes.contains(each)) {
        blocks.add(Cidr.single(each));
      }
    }
    return new ArrayList<>(blocks);
  }

  private static List<Holder> ofAzure(NodeResource resource) {
    AzureStatus status = resource.azureStatus().orElse(AzureStatus.EMPTY);
    Map<String, AddressSet> usable = status.addressesByInterface();
    List<Holder> holders = new ArrayList<>();
    for (AzureStatus.Interface each : status.interfaces().values()) {
      List<Cidr> singles = new ArrayList<>();
      usable.getOrDefault(each.id(), AddressSet.of()).forEach(ip -> singles.add(Cidr.single(ip)));
      holders.add(new Holder(each.id(), each.mac(), singles));
    }
    return holders;
  }

  /** {@code spec.ipam.pre-allocate}, when it is above 0. */
  @Override
  public OptionalInt preAllocation(NodeResource resource) {
    int addresses = resource.ipam().preAllocate();
    return addresses > 0 ? OptionalInt.of(addresses) : OptionalInt.empty();
  }

  @Override
  public Map<PoolName, OfferedCidrs> offers(NodeResource resource) {
    List<Holder> holders = holders(resource);
    if (holders.isEmpty()) {
      return Map.of();
    }
    InterfaceCatalog catalog = InterfaceCatalog.of(cloud, resource, nativeRouting);
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
  public boolean agentLists() {
    return true;
  }
}
