package io.tidemark.provider.mock;

import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.provider.mock.cloud.SubnetView;
import io.tidemark.provider.mock.cloud.Vpc;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The networks of the account, without what is free in them. Immutable. */
record MockNetworks(Map<PoolId, Subnet> subnets, Map<String, Vpc> vpcs) {
  static final MockNetworks NONE = new MockNetworks(Map.of(), Map.of());

  MockNetworks {
    subnets = Map.copyOf(subnets);
    vpcs = Map.copyOf(vpcs);
  }

  static MockNetworks of(List<Vpc> vpcs, List<SubnetView> subnets) {
    return new MockNetworks(
        subnets.stream()
            .map(SubnetView::subnet)
            .collect(
                Collectors.toMap(
                    each -> new PoolId(each.id()), Function.identity(), (first, last) -> last)),
        vpcs.stream()
            .collect(Collectors.toMap(Vpc::id, Function.identity(), (first, last) -> last)));
  }

  Optional<Subnet> subnet(PoolId id) {
    return Optional.ofNullable(subnets.get(id));
  }

  Optional<Vpc> vpc(String id) {
    return Optional.ofNullable(vpcs.get(id));
  }
}
