package io.tidemark.provider.mock;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.Vpc;
import io.tidemark.resource.EniStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The status section an agent in ENI mode reads (node-manager 1.3): every attached interface, with
 * every address that pods may have, those of blocks spelled out. Pure.
 */
final class EniSection {
  private EniSection() {}

  static EniStatus of(InstanceView view, boolean primaryUsable, MockPools pools) {
    TreeMap<String, EniStatus.Eni> enis = new TreeMap<>();
    for (Eni eni : view.interfaces()) {
      enis.put(eni.id().text(), of(eni, primaryUsable, pools));
    }
    return new EniStatus(enis);
  }

  private static EniStatus.Eni of(Eni eni, boolean primaryUsable, MockPools pools) {
    Optional<Pool> pool = pools.find(eni.pool());
    Optional<Vpc> vpc = pool.flatMap(found -> pools.vpc(found.subnet().vpcId()));
    return new EniStatus.Eni(
        eni.id().text(),
        Optional.of(eni.primary()),
        eni.mac(),
        pool.map(found -> found.subnet().zone()).orElse(""),
        eni.description(),
        eni.index(),
        new EniStatus.SubnetRef(eni.pool().text(), pool.map(found -> found.subnet().cidr())),
        new EniStatus.VpcRef(
            pool.map(found -> found.subnet().vpcId()).orElse(""),
            vpc.map(Vpc::primaryCidr),
            vpc.map(Vpc::cidrs).orElse(List.of())),
        addresses(eni, primaryUsable),
        eni.prefixes(),
        List.of(),
        eni.publicAddress(),
        eni.securityGroups(),
        eni.tags());
  }

  private static List<IpAddress> addresses(Eni eni, boolean primaryUsable) {
    List<IpAddress> all = new ArrayList<>();
    if (primaryUsable) {
      all.add(eni.primary());
    }
    all.addAll(eni.singles().toList());
    for (Cidr block : eni.prefixes()) {
      for (int i = 0; i < MockPools.BLOCK_SIZE; i++) {
        all.add(block.address(i));
      }
    }
    return all;
  }
}
