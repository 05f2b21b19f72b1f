package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.RouteTable;
import io.tidemark.provider.aws.ec2.Vpc;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The networks we work in, without what is free in them. Immutable. */
record Networks(
    Map<PoolId, AwsSubnet> subnets, Map<String, Vpc> vpcs, List<RouteTable> routeTables) {
  static final Networks NONE = new Networks(Map.of(), Map.of(), List.of());

  /** Free counts change all the time and are kept elsewhere: they are left out here. */
  Networks withSubnets(List<AwsSubnet> read) {
    Map<PoolId, AwsSubnet> byId =
        read.stream()
            .map(Networks::withoutCount)
            .collect(Collectors.toMap(AwsSubnet::id, Function.identity(), (first, last) -> last));
    return byId.equals(subnets) ? this : new Networks(byId, vpcs, routeTables);
  }

  Networks withVpcs(List<Vpc> read) {
    Map<String, Vpc> byId =
        read.stream().collect(Collectors.toMap(Vpc::id, Function.identity(), (a, b) -> b));
    return byId.equals(vpcs) ? this : new Networks(subnets, byId, routeTables);
  }

  Networks withRouteTables(List<RouteTable> read) {
    return read.equals(routeTables) ? this : new Networks(subnets, vpcs, read);
  }

  Optional<AwsSubnet> subnet(PoolId id) {
    return Optional.ofNullable(subnets.get(id));
  }

  Optional<Vpc> vpc(String id) {
    return Optional.ofNullable(vpcs.get(id));
  }

  /**
   * The table that a subnet's traffic follows: its own, else the VPC's main one (2.3 S4); empty
   * when neither is known.
   */
  Optional<String> effectiveRouteTable(PoolId subnet, String vpcId) {
    Optional<String> own =
        routeTables.stream()
            .filter(table -> table.vpcId().equals(vpcId) && table.subnets().contains(subnet))
            .map(RouteTable::id)
            .findFirst();
    return own.isPresent()
        ? own
        : routeTables.stream()
            .filter(table -> table.vpcId().equals(vpcId) && table.main())
            .map(RouteTable::id)
            .findFirst();
  }

  private static AwsSubnet withoutCount(AwsSubnet subnet) {
    return new AwsSubnet(
        subnet.id(),
        subnet.vpcId(),
        subnet.cidr(),
        subnet.ipv6(),
        subnet.usable(),
        subnet.availabilityZone(),
        subnet.availabilityZoneId(),
        subnet.outpostArn(),
        0,
        subnet.tags());
  }
}
