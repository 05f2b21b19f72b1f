package io.tidemark.provider.azure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.node.MaintenancePlanner;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.provider.azure.ipam.AzureModel;
import io.tidemark.provider.azure.network.ArmCallLimits;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.SimulationReport;
import io.tidemark.simulation.scenario.ScenarioYaml;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PlannedInstance;
import io.tidemark.time.SystemTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A plan of capacity and a cluster on the strict Resource Manager")
class PlannedCapacityTest {
  private static final int NODES = 6;
  private static final Pattern WRITE = Pattern.compile("cloud served \\w+\\.\\w*Update ");

  @DisplayName("agree on addresses, interfaces and writes")
  @ParameterizedTest(name = "{0} pods, {1} spare, {2} above")
  @CsvSource({"5, 8, 0", "60, 8, 0", "200, 16, 0", "250, 8, 0", "20, 4, 8"})
  void agree(int pods, int spare, int above) {
    PlannedInstance planned =
        new AzureModel(
                NodeResource.named("node"),
                new NodeSettings("node", false, false, false),
                AzureSettingsSample.of())
            .fill(
                MaintenancePlanner.passes(IpamSpec.of(spare, 0, 0, above), pods),
                ArmCallLimits.of("account", 1));
    List<String> writes = new ArrayList<>();
    SimulationReport run =
        new ClusterSimulation(
                ScenarioYaml.read(
                        "plan",
                        """
                        name: plan
                        seed: 1
                        duration: 20m
                        subnets: [{id: subnet-a, vpc: vpc-1, zone: zone-a, cidr: 10.0.0.0/16}]
                        instance-types: [{name: type, interfaces: 1, addresses-per-interface: 256}]
                        node-groups:
                          - name: node
                            count: NODES
                            instance-type: type
                            subnets: [subnet-a]
                            pre-allocate: SPARE
                            max-above-watermark: ABOVE
                            pods: [{at: 0s, count: PODS}]
                        """
                            .replace("NODES", "" + NODES)
                            .replace("SPARE", "" + spare)
                            .replace("ABOVE", "" + above)
                            .replace("PODS", "" + pods))
                    .scenario()
                    .orElseThrow())
            .on(AzureClouds.of(CloudSetup.PLAIN))
            .traced(line -> WRITE.matcher(line).results().forEach(found -> writes.add(line)))
            .run(SystemTime.instance());

    assertThat(run.violations()).isEmpty();
    assertThat(run.addresses()).isEqualTo(NODES * planned.addresses());
    assertThat(run.interfaces()).isEqualTo(NODES * planned.interfaces());
    assertThat(writes).hasSize(NODES * planned.requests().size());
  }
}
