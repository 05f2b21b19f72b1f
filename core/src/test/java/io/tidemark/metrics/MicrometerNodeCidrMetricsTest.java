package io.tidemark.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.NodeCidrMetrics.NodeCidrCounts;
import io.tidemark.metrics.NodeCidrMetrics.RangeCounts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a scrape shows of the CIDRs of nodes")
class MicrometerNodeCidrMetricsTest {
  private final Scrape scrape = new Scrape();
  private final MicrometerNodeCidrMetrics metrics = new MicrometerNodeCidrMetrics(scrape.registry);

  private static NodeCidrCounts counts(long claimed, long free, long allocations) {
    RangeCounts range =
        new RangeCounts(
            "10.0.0.0/16",
            "ipv4",
            Map.of("claimed", claimed, "free", free),
            256,
            16,
            allocations,
            allocations / 2);
    return new NodeCidrCounts(
        List.of(range), Map.of("assigned", (int) claimed), Duration.ofMillis(1500), 2);
  }

  @Test
  @DisplayName("NC-11 NC-13 NC-AM37 ranges have the numbers and names of the controller manager")
  void reference() {
    AtomicReference<NodeCidrCounts> now = new AtomicReference<>(counts(0, 256, 0));
    metrics.counts(now::get);
    now.set(counts(128, 128, 640));
    metrics.refresh();
    assertThat(scrape.samples("node_ipam_controller_"))
        .containsExactlyInAnyOrder(
            "node_ipam_controller_cidrset_cidrs_allocations_total{clusterCIDR=\"10.0.0.0/16\"}"
                + " 640.0",
            "node_ipam_controller_cidrset_cidrs_releases_total{clusterCIDR=\"10.0.0.0/16\"} 320.0",
            "node_ipam_controller_cidrset_usage_cidrs{clusterCIDR=\"10.0.0.0/16\"} 0.5",
            "node_ipam_controller_cirdset_max_cidrs{clusterCIDR=\"10.0.0.0/16\"} 256.0");
  }

  @Test
  @DisplayName("NC-12 NC-AM37 taken blocks that a search passes over are a histogram")
  void tries() {
    metrics.allocated("10.0.0.0/16", 0);
    metrics.allocated("10.0.0.0/16", 128);
    assertThat(scrape.samples("node_ipam_controller_cidrset_allocation_tries_per_request_"))
        .contains(tries("1.0", 1), tries("125.0", 1), tries("625.0", 2), tries("+Inf", 2));
  }

  private static String tries(String bound, int count) {
    return "node_ipam_controller_cidrset_allocation_tries_per_request_bucket"
        + "{clusterCIDR=\"10.0.0.0/16\",le=\""
        + bound
        + "\"} "
        + count;
  }

  @Test
  @DisplayName("NC-P13 writes of CiliumNodes have the names of the Cilium operator's trigger")
  void k8sSync() {
    assertThat(scrape.samples("cilium_operator_ipam_")).isEmpty();
    metrics.k8sSync().queued();
    metrics.k8sSync().ran(Duration.ofMillis(500), Duration.ofMillis(250), 1);
    assertThat(scrape.samples("cilium_operator_ipam_k8s_sync_"))
        .contains(
            "cilium_operator_ipam_k8s_sync_queued_total 1.0",
            "cilium_operator_ipam_k8s_sync_folds 1.0",
            "cilium_operator_ipam_k8s_sync_duration_seconds_sum 0.5",
            "cilium_operator_ipam_k8s_sync_latency_seconds_sum 0.25");
  }

  @Test
  @DisplayName("NC-AM37 nodes, blocks and writes by their states")
  void own() {
    metrics.counts(() -> counts(3, 253, 0));
    metrics.written("accepted");
    metrics.written("accepted");
    metrics.assigned(Duration.ofMillis(300));
    assertThat(scrape.samples("tidemark_node_cidr_"))
        .contains(
            "tidemark_node_cidr_blocks"
                + "{cluster_cidr=\"10.0.0.0/16\",family=\"ipv4\",state=\"claimed\"} 3.0",
            "tidemark_node_cidr_nodes{state=\"assigned\"} 3.0",
            "tidemark_node_cidr_writes_total{ending=\"accepted\"} 2.0",
            "tidemark_node_cidr_oldest_waiting_seconds 1.5",
            "tidemark_node_cidr_conflicts 2.0",
            "tidemark_node_cidr_frontier{cluster_cidr=\"10.0.0.0/16\"} 16.0",
            "tidemark_node_cidr_assignment_duration_seconds_sum 0.3");
  }
}
