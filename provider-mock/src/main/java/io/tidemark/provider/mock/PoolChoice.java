package io.tidemark.provider.mock;

import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.PoolLedger;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.Tags;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which subnets a new interface may go to, best first. Pure.
 *
 * <p>Only subnets of the node's VPC and zone. Ids, else tags, when the node names any, are hard.
 * Among the eligible the most free goes first, then the lowest id (node-manager 13 D-18); without
 * ids and tags the node's own subnet goes before all while it holds a whole interface.
 */
record PoolChoice(EniSpec spec, String vpcId, String zone) {
  static PoolChoice of(EniSpec spec, List<MockInterface> interfaces, PoolLedger<Subnet> pools) {
    Optional<Pool<Subnet>> home =
        interfaces.stream()
            .min(Comparator.comparingInt(MockInterface::index))
            .flatMap(eni -> pools.find(eni.pool()));
    return new PoolChoice(
        spec,
        spec.vpcId().isEmpty() ? home.map(pool -> pool.subnet().vpcId()).orElse("") : spec.vpcId(),
        spec.availabilityZone().isEmpty()
            ? home.map(pool -> pool.subnet().zone()).orElse("")
            : spec.availabilityZone());
  }

  /** Every subnet that the node may use, full ones included, best first. */
  List<Pool<Subnet>> eligible(List<Pool<Subnet>> pools, int addressesPerInterface) {
    return pools.stream()
        .filter(this::matches)
        .sorted(
            Comparator.comparing((Pool<Subnet> pool) -> !preferred(pool, addressesPerInterface))
                .thenComparing(
                    Comparator.comparingInt((Pool<Subnet> each) -> each.free()).reversed())
                .thenComparing(Pool::id))
        .toList();
  }

  private boolean matches(Pool<Subnet> pool) {
    if (!pool.subnet().vpcId().equals(vpcId) || !pool.subnet().zone().equals(zone)) {
      return false;
    }
    if (!spec.subnetIds().isEmpty()) {
      return spec.subnetIds().contains(pool.subnet().id());
    }
    return new Tags(pool.subnet().tags()).matches(spec.subnetTags());
  }

  private boolean preferred(Pool<Subnet> pool, int addressesPerInterface) {
    return spec.subnetIds().isEmpty()
        && spec.subnetTags().isEmpty()
        && pool.subnet().id().equals(spec.nodeSubnetId())
        && pool.free() >= addressesPerInterface;
  }

  @Override
  public String toString() {
    return "VPC "
        + vpcId
        + ", zone "
        + zone
        + (spec.subnetIds().isEmpty() ? "" : ", subnet-ids " + spec.subnetIds())
        + (spec.subnetTags().isEmpty() ? "" : ", subnet-tags " + spec.subnetTags());
  }
}
