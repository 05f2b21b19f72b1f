package io.tidemark.simulation;

import io.tidemark.simulation.scenario.Scenario;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** How long requests take there and back; the cloud's are those of performance.md. */
final class LatencyTable {
  private static final long READ = Duration.ofMillis(150).toNanos();
  private static final long CHANGE = Duration.ofMillis(600).toNanos();
  private static final Map<String, Duration> USUAL =
      Map.of(
          "CreateNetworkInterface", Duration.ofMillis(600),
          "AttachNetworkInterface", Duration.ofMillis(1_500),
          "ModifyNetworkInterfaceAttribute", Duration.ofMillis(300),
          "AssignPrivateIpAddresses", Duration.ofMillis(800),
          "UnassignPrivateIpAddresses", Duration.ofMillis(800));

  private final Map<String, Long> cloud = new HashMap<>();
  private final long storeNanos;

  LatencyTable(Scenario scenario) {
    USUAL.forEach((operation, latency) -> cloud.put(operation, latency.toNanos()));
    scenario
        .cloud()
        .latencies()
        .forEach((operation, latency) -> cloud.put(operation, latency.toNanos()));
    storeNanos = scenario.store().latency().toNanos();
  }

  long cloudNanos(String operation) {
    Long known = cloud.get(operation);
    if (known != null) {
      return known;
    }
    return operation.startsWith("Describe") ? READ : CHANGE;
  }

  long storeNanos(String operation) {
    return storeNanos;
  }
}
