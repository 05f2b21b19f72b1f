package io.tidemark.provider.azure.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpPipelineBuilder;
import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.time.VirtualTime;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Z10 What responses say is left of the buckets of requests")
class RemainingRequestsTest {
  private final Map<String, Long> told = new TreeMap<>();

  @Test
  @DisplayName("is told by the name of the bucket, one for each policy of the compute provider")
  void told() throws Exception {
    VirtualTime time = new VirtualTime(1_700_000_000_000L);
    ArmEmulator azure = ArmEmulator.in(time, ArmScenarioYaml.example());
    ArmApi api =
        new PipelineArmApi(
            new HttpPipelineBuilder()
                .httpClient(new EmulatorTransport(azure.handler()))
                .policies(new RemainingRequests(told::put))
                .build(),
            URI.create(ArmDoors.ORIGIN),
            () -> "static-provider",
            time,
            false);
    api.read(ArmRead.writable(ArmSamples.INSTANCE));
    assertThat(told).containsKey("subscription-global-reads");
    assertThat(told.keySet()).anyMatch(each -> each.startsWith("Microsoft.Compute/"));
    long before = told.getOrDefault("subscription-global-reads", 0L);
    api.read(ArmRead.writable(ArmSamples.INSTANCE));
    assertThat(told).containsEntry("subscription-global-reads", before - 1);
  }

  @Test
  @DisplayName("is left out where it is no number or no name, and where there are too many")
  void odd() {
    RemainingRequests way = new RemainingRequests(told::put);
    way.tell("subscription-reads", "many");
    way.tell("subscription-reads", "-1");
    way.tell("resource", "A b;5,;7,Microsoft.Compute/X;12,Microsoft.Compute/Y;");
    assertThat(told).containsExactly(Map.entry("Microsoft.Compute/X", 12L));
    for (int i = 0; i < 1_000; i++) {
      way.tell("bucket-" + i, "1");
    }
    assertThat(told).hasSize(64);
  }
}
