package io.tidemark.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.DatastoreMetrics.LoopCounts;
import io.tidemark.metrics.DatastoreMetrics.PlaceCounts;
import io.tidemark.metrics.DatastoreMetrics.PlanCounts;
import io.tidemark.metrics.DatastoreMetrics.StoreCounts;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a scrape shows of the stores of network cards")
class MicrometerDatastoreMetricsTest {
  private final Scrape scrape = new Scrape();
  private final MicrometerDatastoreMetrics metrics =
      new MicrometerDatastoreMetrics(scrape.registry);

  @Test
  @DisplayName("Each card has its present numbers at each scrape")
  void counts() {
    AtomicReference<StoreCounts> first =
        new AtomicReference<>(new StoreCounts(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    metrics.card(0, first::get);
    metrics.card(1, () -> new StoreCounts(7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    first.set(new StoreCounts(2, 49, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    assertThat(scrape.samples("awscni_"))
        .contains(
            "awscni_eni_allocated{card=\"0\"} 2.0",
            "awscni_eni_allocated{card=\"1\"} 7.0",
            "awscni_total_ip_addresses{card=\"0\"} 49.0",
            "awscni_assigned_ip_addresses{card=\"0\"} 3.0",
            "awscni_total_ipv4_prefixes{card=\"0\"} 4.0",
            "awscni_cooling_ip_addresses{card=\"0\"} 5.0",
            "awscni_orphan_ip_addresses{card=\"0\"} 6.0",
            "awscni_lost_ip_addresses{card=\"0\"} 7.0",
            "awscni_no_available_ip_addresses{card=\"0\"} 8.0",
            "awscni_force_removed_enis{card=\"0\"} 9.0",
            "awscni_force_removed_ips{card=\"0\"} 10.0",
            "awscni_cooldown_cut_short_total{card=\"0\"} 11.0");
  }

  @Test
  @DisplayName("The series of interfaces and blocks go with them")
  void places() {
    AtomicReference<PlaceCounts> now =
        new AtomicReference<>(
            new PlaceCounts(Map.of("eni-1", 2, "eni-2", 0), Map.of("10.0.0.0/28", 2)));
    metrics.places(0, now::get);
    metrics.places(2, () -> new PlaceCounts(Map.of("eni-9", 1), Map.of()));
    metrics.refresh();
    assertThat(scrape.samples("awscni_assigned_ip_per"))
        .containsExactlyInAnyOrder(
            "awscni_assigned_ip_per_eni{card=\"0\",eni=\"eni-1\"} 2.0",
            "awscni_assigned_ip_per_eni{card=\"0\",eni=\"eni-2\"} 0.0",
            "awscni_assigned_ip_per_eni{card=\"2\",eni=\"eni-9\"} 1.0",
            "awscni_assigned_ip_per_cidr{card=\"0\",cidr=\"10.0.0.0/28\"} 2.0");
    now.set(new PlaceCounts(Map.of("eni-1", 3), Map.of("10.0.0.5/32", 1)));
    metrics.refresh();
    assertThat(scrape.samples("awscni_assigned_ip_per"))
        .containsExactlyInAnyOrder(
            "awscni_assigned_ip_per_eni{card=\"0\",eni=\"eni-1\"} 3.0",
            "awscni_assigned_ip_per_eni{card=\"2\",eni=\"eni-9\"} 1.0",
            "awscni_assigned_ip_per_cidr{card=\"0\",cidr=\"10.0.0.5/32\"} 1.0");
  }

  @Test
  @DisplayName("The plan of a card has its present numbers")
  void plan() {
    AtomicReference<PlanCounts> now = new AtomicReference<>(new PlanCounts(0, 0));
    metrics.plan(1, now::get);
    now.set(new PlanCounts(3, 4));
    assertThat(scrape.samples("awscni_plan"))
        .containsExactlyInAnyOrder(
            "awscni_plan_short{card=\"1\"} 3.0", "awscni_plan_over{card=\"1\"} 4.0");
  }

  @Test
  @DisplayName("Calls of the plugin are measured by method and code, and counted by reason")
  void calls() {
    MicrometerRpcMetrics calls = new MicrometerRpcMetrics(scrape.registry);
    calls.addRequested();
    calls.addRequested();
    calls.delRequested("PodDeleted");
    calls.answered("AddNetwork", "OK", Duration.ofMillis(250));
    assertThat(scrape.samples("awscni_"))
        .contains(
            "awscni_add_ip_req_count 2.0",
            "awscni_del_ip_req_count{reason=\"PodDeleted\"} 1.0",
            "awscni_rpc_duration_seconds_sum{code=\"OK\",method=\"AddNetwork\"} 0.25");
  }

  @Test
  @DisplayName("Writes add up by card, and those that failed are counted")
  void checkpoints() {
    metrics.checkpoint(0, true, Duration.ofMillis(3));
    metrics.checkpoint(0, false, Duration.ofMillis(997));
    assertThat(scrape.samples("awscni_checkpoint_duration_seconds_sum"))
        .containsExactly("awscni_checkpoint_duration_seconds_sum{card=\"0\"} 1.0");
    assertThat(scrape.samples("awscni_checkpoint_failures_total"))
        .containsExactly("awscni_checkpoint_failures_total{card=\"0\"} 1.0");
  }

  @Test
  @DisplayName("Limits and corrections of a card have their present numbers at each scrape")
  void loop() {
    AtomicReference<LoopCounts> now = new AtomicReference<>(new LoopCounts(0, 0, Map.of()));
    metrics.loop(0, now::get);
    metrics.loop(1, () -> new LoopCounts(1, 14, Map.of("added", 2L)));
    now.set(new LoopCounts(4, 196, Map.of("added", 7L, "removed", 8L)));
    metrics.refresh();
    assertThat(scrape.samples("awscni_"))
        .containsExactlyInAnyOrder(
            "awscni_eni_max{card=\"0\"} 4.0",
            "awscni_eni_max{card=\"1\"} 1.0",
            "awscni_ip_max{card=\"0\"} 196.0",
            "awscni_ip_max{card=\"1\"} 14.0",
            "awscni_reconcile_count{card=\"0\",fn=\"added\"} 7.0",
            "awscni_reconcile_count{card=\"0\",fn=\"removed\"} 8.0",
            "awscni_reconcile_count{card=\"1\",fn=\"added\"} 2.0");
  }

  @Test
  @DisplayName("Requests to the cloud count while they are under way, and when they failed")
  void requests() {
    metrics.inProgress("increase", 1);
    metrics.inProgress("increase", 1);
    metrics.inProgress("increase", -1);
    metrics.inProgress("decrease", 1);
    metrics.inProgress("decrease", -1);
    metrics.failed("assign");
    metrics.failed("assign");
    assertThat(scrape.samples("awscni_"))
        .containsExactlyInAnyOrder(
            "awscni_ipamd_action_inprogress{fn=\"increase\"} 1.0",
            "awscni_ipamd_action_inprogress{fn=\"decrease\"} 0.0",
            "awscni_ipamd_error_count{fn=\"assign\"} 2.0");
  }

  @Test
  @DisplayName("The sizes of batches, and the time until an address is used again, are histograms")
  void histograms() {
    metrics.batch(0, 1);
    metrics.batch(0, 3);
    metrics.reused(0, Duration.ofSeconds(130));
    assertThat(scrape.samples("awscni_"))
        .contains(
            "awscni_checkpoint_batch_size_bucket{card=\"0\",le=\"1.0\"} 1",
            "awscni_checkpoint_batch_size_bucket{card=\"0\",le=\"2.0\"} 1",
            "awscni_checkpoint_batch_size_bucket{card=\"0\",le=\"4.0\"} 2",
            "awscni_checkpoint_batch_size_sum{card=\"0\"} 4.0",
            "awscni_reuse_distance_seconds_bucket{card=\"0\",le=\"120.0\"} 0",
            "awscni_reuse_distance_seconds_bucket{card=\"0\",le=\"130.0\"} 1");
  }
}
