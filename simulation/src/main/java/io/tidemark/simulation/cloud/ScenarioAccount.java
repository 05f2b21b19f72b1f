package io.tidemark.simulation.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.provider.mock.cloud.CloudCall;
import io.tidemark.provider.mock.cloud.CloudErrorCode;
import io.tidemark.provider.mock.cloud.CloudSettings;
import io.tidemark.provider.mock.cloud.Fault;
import io.tidemark.provider.mock.cloud.FaultPlan;
import io.tidemark.provider.mock.cloud.InstanceType;
import io.tidemark.provider.mock.cloud.InstanceTypes;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.PublicAddress;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.provider.mock.cloud.Vpc;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The account of a scenario: its networks and instance types, some public addresses, no more. */
final class ScenarioAccount {
  private static final int PUBLIC_ADDRESSES = 16;

  private ScenarioAccount() {}

  static MockCloud of(Scenario scenario, VirtualTime time, CloudTemper temper, long seed) {
    List<InstanceType> types = new ArrayList<>();
    for (Scenario.InstanceShape each : scenario.instanceTypes()) {
      types.add(
          new InstanceType(
              each.name(), each.interfaces(), each.addressesPerInterface(), each.prefixes()));
    }
    MockCloud cloud =
        new MockCloud(
            new CloudSettings(
                seed,
                InstanceTypes.standard().with(types),
                scenario.cloud().buckets(),
                scenario.stalestRead(),
                plan(temper)),
            time);
    for (String vpc : vpcs(scenario)) {
      cloud.setup().vpc(vpc(scenario, vpc));
    }
    for (SubnetShape each : scenario.subnets()) {
      cloud.setup().subnet(new Subnet(each.id(), each.vpcId(), each.zone(), each.cidr(), Map.of()));
      each.reserved().forEach(block -> cloud.setup().occupy(each.id(), AddressSet.ofRange(block)));
    }
    for (int i = 1; i <= PUBLIC_ADDRESSES; i++) {
      cloud
          .setup()
          .publicAddress(
              new PublicAddress(
                  "eipalloc-" + i,
                  Ipv4Address.of(203, 0, 113, i),
                  MockSimulatedCloud.PUBLIC_ADDRESS_TAGS,
                  Optional.empty()));
    }
    return cloud;
  }

  private static Set<String> vpcs(Scenario scenario) {
    Set<String> vpcs = new TreeSet<>();
    scenario.subnets().forEach(each -> vpcs.add(each.vpcId()));
    return vpcs;
  }

  private static Vpc vpc(Scenario scenario, String id) {
    List<Cidr> cidrs =
        scenario.subnets().stream()
            .filter(each -> each.vpcId().equals(id))
            .map(SubnetShape::cidr)
            .toList();
    return new Vpc(id, cidrs.get(0), cidrs.subList(1, cidrs.size()));
  }

  private static FaultPlan plan(CloudTemper temper) {
    return new FaultPlan() {
      @Override
      public Fault faultOf(CloudCall call) {
        return temper.refuses(call.operation().wire())
            ? new Fault.Refuse(CloudErrorCode.INTERNAL_ERROR, "An internal error has occurred")
            : Fault.none();
      }

      @Override
      public Duration lagOf(CloudCall call) {
        return temper.readLag();
      }
    };
  }
}
