package io.tidemark.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a scrape shows after several reports of one thing (node-manager 7)")
class MetricCountsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Scrape scrape = new Scrape();
  private final MicrometerIpamMetrics metrics = new MicrometerIpamMetrics(scrape.registry);

  @Test
  @DisplayName("C-36 attempts, addresses and interfaces add up, each subnet and outcome for itself")
  void counts() {
    metrics.allocationAttempt("allocateIP", "success", "s1", SECOND);
    metrics.allocationAttempt("allocateIP", "success", "s1", SECOND.multipliedBy(2));
    metrics.allocationAttempt("allocateIP", "failed", "s1", SECOND);
    metrics.releaseAttempt("releaseIP", "success", "s1", SECOND);
    metrics.addressesAllocated("s1", 10);
    metrics.addressesAllocated("s1", 20);
    metrics.addressesAllocated("s2", 4);
    metrics.addressesReleased("s1", 3);
    metrics.addressesReleased("s1", 0);
    metrics.interfaceCreated("s1");
    metrics.interfaceCreated("s1");
    metrics.resynced();
    metrics.syncConflict();
    metrics.syncConflict();
    assertThat(scrape.samples("cilium_operator_ipam_"))
        .contains(
            "cilium_operator_ipam_allocation_duration_seconds_count"
                + "{status=\"success\",subnet_id=\"s1\",type=\"allocateIP\"} 2",
            "cilium_operator_ipam_allocation_duration_seconds_sum"
                + "{status=\"success\",subnet_id=\"s1\",type=\"allocateIP\"} 3.0",
            "cilium_operator_ipam_allocation_duration_seconds_count"
                + "{status=\"failed\",subnet_id=\"s1\",type=\"allocateIP\"} 1",
            "cilium_operator_ipam_release_duration_seconds_count"
                + "{status=\"success\",subnet_id=\"s1\",type=\"releaseIP\"} 1",
            "cilium_operator_ipam_ip_allocation_ops{subnet_id=\"s1\"} 30.0",
            "cilium_operator_ipam_ip_allocation_ops{subnet_id=\"s2\"} 4.0",
            "cilium_operator_ipam_ip_release_ops{subnet_id=\"s1\"} 3.0",
            "cilium_operator_ipam_interface_creation_ops{subnet_id=\"s1\"} 2.0",
            "cilium_operator_ipam_resync_total 1.0",
            "cilium_operator_ipam_sync_conflicts_total 2.0");
  }

  @Test
  @DisplayName("C-36 A duration below a second counts from the first bound that it reaches on")
  void partsOfSeconds() {
    metrics.allocationAttempt("allocateIP", "success", "s1", Duration.ofMillis(300));
    metrics.poolMaintainer().ran(Duration.ofMillis(6), Duration.ofMillis(5), 1);
    assertThat(bucket("allocation_duration", "0.25")).endsWith(" 0");
    assertThat(bucket("allocation_duration", "0.5")).endsWith(" 1");
    assertThat(bucket("deficit_resolver_duration", "0.005")).endsWith(" 0");
    assertThat(bucket("deficit_resolver_duration", "0.025")).endsWith(" 1");
    assertThat(bucket("deficit_resolver_latency", "0.005")).endsWith(" 1");
  }

  private String bucket(String name, String bound) {
    return scrape.samples("cilium_operator_ipam_" + name + "_seconds_bucket{").stream()
        .filter(each -> each.contains("le=\"" + bound + "\""))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("C-36 of what is set the last value is shown")
  void settings() {
    for (int value : new int[] {200, 100}) {
      metrics.node("n1", value, value + 1, value + 2, value + 3);
      metrics.podCapacity("n1", value, OptionalInt.of(value + 1));
      metrics.allocatedIps("used", value);
      metrics.availableInterfaces(value);
      metrics.interfaceCandidates(value);
      metrics.emptyInterfaceSlots(value);
      metrics.availableIpsPerSubnet("s1", "z1", value);
      metrics.nodes("in-deficit", value);
      metrics.handshakes("released", value);
      metrics.nodesStuck("TM-1203", value);
      metrics.oldestDeficit(Duration.ofSeconds(value));
      metrics.cacheAge(Duration.ofSeconds(value));
      metrics.instancesApiReady(value == 200);
    }
    assertThat(scrape.samples("cilium_operator_ipam_"))
        .containsExactlyInAnyOrder(
            "cilium_operator_ipam_available_ips{target_node=\"n1\"} 100.0",
            "cilium_operator_ipam_used_ips{target_node=\"n1\"} 101.0",
            "cilium_operator_ipam_needed_ips{target_node=\"n1\"} 102.0",
            "cilium_operator_ipam_node_spare_ips{target_node=\"n1\"} 103.0",
            "cilium_operator_ipam_node_pod_capacity{target_node=\"n1\"} 100.0",
            "cilium_operator_ipam_node_max_pods{target_node=\"n1\"} 101.0",
            "cilium_operator_ipam_ips{type=\"used\"} 100.0",
            "cilium_operator_ipam_available_interfaces 100.0",
            "cilium_operator_ipam_interface_candidates 100.0",
            "cilium_operator_ipam_empty_interface_slots 100.0",
            "cilium_operator_ipam_available_ips_per_subnet"
                + "{availability_zone=\"z1\",subnet_id=\"s1\"} 100.0",
            "cilium_operator_ipam_nodes{category=\"in-deficit\"} 100.0",
            "cilium_operator_ipam_release_handshake{state=\"released\"} 100.0",
            "cilium_operator_ipam_nodes_stuck{reason=\"TM-1203\"} 100.0",
            "cilium_operator_ipam_oldest_deficit_seconds 100.0",
            "cilium_operator_ipam_cache_age_seconds 100.0",
            "cilium_operator_ipam_instances_api_ready 0.0");
  }
}
