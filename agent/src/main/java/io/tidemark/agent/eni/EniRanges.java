package io.tidemark.agent.eni;

import io.tidemark.agent.InterfaceDetails;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.InterfaceCatalog;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.agent.multipool.OfferedCidrs;
import io.tidemark.agent.multipool.RangeSource;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.EniStatus.Eni;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodPools.PoolCidrs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The blocks of the interfaces in the status, all in one pool: the operator attaches them, and the
 * agent lists in {@code pools.allocated} those that it has (allocators 6). Every address of a block
 * is handed out. A block is not drawn from while its interface is not on this machine.
 */
public final class EniRanges implements RangeSource {
  private final PoolName pool;
  private final LocalInterfaces here;
  private final List<Cidr> nativeRouting;

  /**
   * A source.
   *
   * @param pool the pool of all blocks
   * @param here which interfaces this machine has
   * @param nativeRouting blocks that are reached without translation
   */
  public EniRanges(PoolName pool, LocalInterfaces here, List<Cidr> nativeRouting) {
    this.pool = pool;
    this.here = here;
    this.nativeRouting = List.copyOf(nativeRouting);
  }

  @Override
  public Optional<String> contradiction(NodeResource resource) {
    return EniConsistency.problem(resource);
  }

  /** {@code spec.ipam.pre-allocate}, when it is above 0. */
  @Override
  public OptionalInt preAllocation(NodeResource resource) {
    int addresses = resource.ipam().preAllocate();
    return addresses > 0 ? OptionalInt.of(addresses) : OptionalInt.empty();
  }

  @Override
  public Map<PoolName, OfferedCidrs> offers(NodeResource resource) {
    Optional<EniStatus> status = resource.eniStatus();
    if (status.isEmpty()) {
      return Map.of();
    }
    InterfaceCatalog catalog = InterfaceCatalog.of(CrdMode.ENI, resource, nativeRouting);
    Set<Cidr> blocks = new HashSet<>();
    List<Cidr> ordered = new ArrayList<>();
    Map<Cidr, InterfaceDetails> interfaces = new HashMap<>();
    EniBlocks.forPods(status.get(), resource.eniSpec().orElse(EniSpec.EMPTY))
        .forEach(
            eni -> {
              for (Cidr each : EniBlocks.of(eni)) {
                if (blocks.add(each)) {
                  ordered.add(each);
                  details(catalog, eni, each).ifPresent(found -> interfaces.put(each, found));
                }
              }
            });
    OfferedCidrs offer =
        new OfferedCidrs(
            ordered,
            listed(resource),
            OfferedCidrs.Edges.BOTH,
            !resource.pools().requested().isEmpty(),
            Optional.of(interfaces));
    return Map.of(pool, offer);
  }

  private Optional<InterfaceDetails> details(InterfaceCatalog catalog, Eni eni, Cidr block) {
    return here.present(eni.id(), eni.mac())
        ? catalog.find(eni.id(), block.family())
        : Optional.empty();
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
