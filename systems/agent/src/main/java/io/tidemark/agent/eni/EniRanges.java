package io.tidemark.agent.eni;

import io.tidemark.agent.PoolName;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.InterfaceCatalog;
import io.tidemark.agent.crd.InterfaceConsistency;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.NodeResource;
import java.util.List;
import java.util.Optional;

/** The blocks of EC2's interfaces: delegated prefixes, and each other address by itself. */
public final class EniRanges extends InterfaceRanges {
  private final List<Cidr> nativeRouting;

  /**
   * A source.
   *
   * @param pool the pool of all blocks
   * @param here which interfaces this machine has
   * @param nativeRouting blocks that are reached without translation
   */
  public EniRanges(PoolName pool, LocalInterfaces here, List<Cidr> nativeRouting) {
    super(pool, here);
    this.nativeRouting = List.copyOf(nativeRouting);
  }

  @Override
  public Optional<String> contradiction(NodeResource resource) {
    return InterfaceConsistency.of(CrdMode.ENI, resource).stream()
        .map(InterfaceConsistency.Contradiction::text)
        .findFirst();
  }

  @Override
  List<Holder> holders(NodeResource resource) {
    EniSpec spec = resource.eniSpec().orElse(EniSpec.EMPTY);
    return resource.eniStatus().stream()
        .flatMap(status -> EniBlocks.forPods(status, spec))
        .map(eni -> new Holder(eni.id(), eni.mac(), EniBlocks.of(eni)))
        .toList();
  }

  @Override
  InterfaceCatalog catalog(NodeResource resource) {
    return InterfaceCatalog.of(CrdMode.ENI, resource, nativeRouting);
  }
}
