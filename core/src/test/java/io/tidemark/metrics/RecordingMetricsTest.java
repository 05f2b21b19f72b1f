package io.tidemark.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.RecordingMetrics;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RecordingMetricsTest {
  private final RecordingMetrics metrics = new RecordingMetrics();

  @Test
  @DisplayName("C-36 attempts and addresses add up")
  void counts() {
    metrics.allocationAttempt("allocateIP", "success", "subnet-1", Duration.ofSeconds(1));
    metrics.addressesAllocated("subnet-1", 10);
    metrics.addressesAllocated("subnet-1", 20);
    metrics.addressesReleased("subnet-1", 3);
    metrics.resynced();
    assertThat(metrics.allocationAttempts("allocateIP", "success")).isEqualTo(1);
    assertThat(metrics.allocationAttempts("allocateIP", "failed")).isZero();
    assertThat(metrics.addressesAllocatedIn("subnet-1")).isEqualTo(30);
    assertThat(metrics.addressesAllocatedIn("subnet-2")).isZero();
    assertThat(metrics.addressesReleasedIn("subnet-1")).isEqualTo(3);
    assertThat(metrics.resyncs()).isEqualTo(1);
  }

  @Test
  @DisplayName("C-36 of settings the last one wins")
  void settings() {
    metrics.allocatedIps("used", 200);
    metrics.allocatedIps("used", 100);
    metrics.availableInterfaces(10);
    metrics.nodes("in-deficit", 7);
    metrics.nodes("in-deficit", 5);
    metrics.instancesApiReady(true);
    metrics.instancesApiReady(false);
    assertThat(metrics.ips("used")).hasValue(100);
    assertThat(metrics.ips("needed")).isEmpty();
    assertThat(metrics.interfacesAvailable()).hasValue(10);
    assertThat(metrics.nodesOf("in-deficit")).hasValue(5);
    assertThat(metrics.instancesApiReady()).hasValue(false);
  }

  @Test
  @DisplayName("C-36 what is gone is no longer there")
  void gone() {
    metrics.node("n1", 8, 3, 0, 5);
    metrics.availableIpsPerSubnet("subnet-1", "zone-a", 42);
    assertThat(metrics.numbersOf("n1")).hasValue(new RecordingMetrics.NodeNumbers(8, 3, 0, 5));
    assertThat(metrics.availableIn("subnet-1", "zone-a")).hasValue(42);
    metrics.nodeGone("n1");
    metrics.subnetGone("subnet-1", "zone-a");
    assertThat(metrics.nodesWithGauges()).isEmpty();
    assertThat(metrics.availableIn("subnet-1", "zone-a")).isEmpty();
  }
}
