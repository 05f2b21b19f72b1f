package io.tidemark.simulation.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.mock.cloud.CloudException.Code;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.CloudSettings;
import io.tidemark.provider.mock.cloud.FaultPlan;
import io.tidemark.provider.mock.cloud.InstanceLimits;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The account of a scenario: its networks and instance types, no more. */
final class ScenarioAccount {
  private ScenarioAccount() {}

  static MockCloud of(Scenario scenario, VirtualTime time, CloudTemper temper, long seed) {
    Map<String, InstanceLimits> types = new HashMap<>();
    for (Scenario.InstanceShape each : scenario.instanceTypes()) {
      types.put(
          each.name(),
          new InstanceLimits(each.interfaces(), each.addressesPerInterface(), each.prefixes()));
    }
    MockCloud cloud =
        new MockCloud(
            new CloudSettings(
                seed, types, scenario.cloud().buckets(), scenario.stalestRead(), plan(temper)),
            time);
    for (SubnetShape each : scenario.subnets()) {
      List<Cidr> network =
          scenario.subnets().stream()
              .filter(other -> other.vpcId().equals(each.vpcId()))
              .map(SubnetShape::cidr)
              .toList();
      cloud
          .state()
          .subnet(
              new MockSubnet(each.id(), each.vpcId(), network, each.zone(), each.cidr(), Map.of()));
      each.reserved().forEach(block -> cloud.state().occupy(each.id(), AddressSet.ofRange(block)));
    }
    return cloud;
  }

  private static FaultPlan plan(CloudTemper temper) {
    return new FaultPlan() {
      @Override
      public FaultPlan.Fault faultOf(CloudOperation operation, String subject) {
        return temper.refuses(operation.wire())
            ? FaultPlan.Fault.refuse(Code.INTERNAL_ERROR)
            : FaultPlan.Fault.NONE;
      }

      @Override
      public Duration lag() {
        return temper.readLag();
      }
    };
  }
}
