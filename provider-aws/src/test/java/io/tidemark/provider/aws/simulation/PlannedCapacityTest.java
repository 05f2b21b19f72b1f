package io.tidemark.provider.aws.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.node.MaintenancePlanner;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.aws.eni.EniModel;
import io.tidemark.provider.aws.eni.SettingsSample;
import io.tidemark.resilience.CallKind;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.IpamSpec;
import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.SimulationReport;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.ScenarioYaml;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PlannedInstance;
import io.tidemark.time.SystemTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A plan of capacity and a cluster on the strict EC2")
class PlannedCapacityTest {
  private static final int NODES = 5;

  @DisplayName("agree on addresses, interfaces and requests")
  @ParameterizedTest(name = "{0} x {1}, prefixes {2}: {3} pods, {4} spare, {5} above")
  @CsvSource({
    "3, 10, false, 5, 8, 0",
    "3, 10, false, 20, 8, 0",
    "3, 10, false, 27, 8, 0",
    "3, 10, true, 20, 8, 0",
    "3, 10, true, 110, 8, 0",
    "4, 15, false, 30, 4, 6",
    "8, 30, false, 110, 16, 0"
  })
  void agree(int interfaces, int each, boolean prefixes, int pods, int spare, int above) {
    InstanceType type =
        new InstanceType("type", interfaces, interfaces, each, each, "nitro", false);
    PlannedInstance planned =
        new EniModel(
                type,
                new NodeSettings("node", prefixes, false, false),
                EniSpec.EMPTY,
                SettingsSample.USUAL)
            .fill(
                MaintenancePlanner.passes(IpamSpec.of(spare, 0, 0, above), pods),
                Ec2CallLimits.of("account", "region", 1));
    SimulationReport run =
        new ClusterSimulation(scenario(interfaces, each, prefixes, pods, spare, above))
            .on(new PlainClouds())
            .run(SystemTime.instance());

    assertThat(run.violations()).isEmpty();
    assertThat(run.addresses()).isEqualTo(NODES * planned.addresses());
    assertThat(run.interfaces()).isEqualTo(NODES * planned.interfaces());
    Map<String, Long> changes = new TreeMap<>(run.calls());
    changes.keySet().removeIf(name -> name.startsWith("Describe") || name.startsWith("Get"));
    Map<String, Long> expected =
        planned.requests().stream()
            .map(CallKind::name)
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    expected.replaceAll((name, count) -> count * NODES);
    assertThat(changes).isEqualTo(expected);
  }

  private static Scenario scenario(
      int interfaces, int each, boolean prefixes, int pods, int spare, int above) {
    return ScenarioYaml.read(
            "plan",
            """
            name: plan
            seed: 1
            duration: 15m
            operator: {enable-prefix-delegation: PREFIXES}
            subnets: [{id: subnet-a, vpc: vpc-1, zone: zone-a, cidr: 10.0.0.0/16}]
            instance-types: [{name: type, interfaces: INTERFACES, addresses-per-interface: EACH}]
            node-groups:
              - name: node
                count: NODES
                instance-type: type
                subnets: [subnet-a]
                pre-allocate: SPARE
                max-above-watermark: ABOVE
                pods: [{at: 0s, count: PODS}]
            """
                .replace("PREFIXES", "" + prefixes)
                .replace("INTERFACES", "" + interfaces)
                .replace("EACH", "" + each)
                .replace("NODES", "" + NODES)
                .replace("SPARE", "" + spare)
                .replace("ABOVE", "" + above)
                .replace("PODS", "" + pods))
        .scenario()
        .orElseThrow();
  }
}
