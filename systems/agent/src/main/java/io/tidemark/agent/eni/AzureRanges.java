package io.tidemark.agent.eni;

import io.tidemark.agent.PoolName;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.InterfaceCatalog;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.NodeResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The usable addresses of Azure's interfaces, each a block by itself: the status lists those of
 * delegated blocks one by one.
 */
public final class AzureRanges extends InterfaceRanges {
  /**
   * A source.
   *
   * @param pool the pool of all addresses
   * @param here which interfaces this machine has
   */
  public AzureRanges(PoolName pool, LocalInterfaces here) {
    super(pool, here);
  }

  @Override
  public boolean isOf(Optional<String> instance, NodeResource resource) {
    return CrdMode.AZURE.isOf(instance, resource);
  }

  @Override
  List<Holder> holders(NodeResource resource) {
    AzureStatus status = resource.azureStatus().orElse(AzureStatus.EMPTY);
    Map<String, AddressSet> usable = status.addressesByInterface();
    return status.interfaces().values().stream()
        .map(
            each ->
                new Holder(
                    each.id(),
                    each.mac(),
                    singles(usable.getOrDefault(each.id(), AddressSet.of()))))
        .toList();
  }

  private static List<Cidr> singles(AddressSet addresses) {
    List<Cidr> singles = new ArrayList<>();
    for (IpAddress each : addresses) {
      singles.add(Cidr.single(each));
    }
    return singles;
  }

  @Override
  InterfaceCatalog catalog(NodeResource resource) {
    return InterfaceCatalog.of(CrdMode.AZURE, resource, List.of());
  }
}
