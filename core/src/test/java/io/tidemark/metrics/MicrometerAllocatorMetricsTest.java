package io.tidemark.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.AllocatorMetrics.AddressCounts;
import io.tidemark.metrics.AllocatorMetrics.BlockCounts;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a scrape shows of a node's allocators (allocators 14)")
class MicrometerAllocatorMetricsTest {
  private final Scrape scrape = new Scrape();
  private final MicrometerAllocatorMetrics metrics =
      new MicrometerAllocatorMetrics(scrape.registry);

  @Test
  @DisplayName("The pools of a family are added up as they are at the scrape")
  void pools() {
    AtomicReference<AddressCounts> blue = new AtomicReference<>(new AddressCounts(4, 3, 2, 1));
    metrics.pool("ipv4", "default", () -> new AddressCounts(100, 0, 0, 0));
    metrics.pool("ipv4", "blue", blue::get);
    metrics.pool("ipv6", "default", () -> new AddressCounts(0, 7, 0, 0));
    assertThat(scrape.samples("cilium_ipam_"))
        .containsExactlyInAnyOrder(
            "cilium_ipam_capacity{family=\"ipv4\"} 109.0",
            "cilium_ipam_available{family=\"ipv4\"} 104.0",
            "cilium_ipam_used{family=\"ipv4\"} 5.0",
            "cilium_ipam_cooling{family=\"ipv4\",pool=\"default\"} 0.0",
            "cilium_ipam_excluded{family=\"ipv4\",pool=\"default\"} 0.0",
            "cilium_ipam_cooling{family=\"ipv4\",pool=\"blue\"} 2.0",
            "cilium_ipam_excluded{family=\"ipv4\",pool=\"blue\"} 1.0",
            "cilium_ipam_capacity{family=\"ipv6\"} 7.0",
            "cilium_ipam_available{family=\"ipv6\"} 0.0",
            "cilium_ipam_used{family=\"ipv6\"} 7.0",
            "cilium_ipam_cooling{family=\"ipv6\",pool=\"default\"} 0.0",
            "cilium_ipam_excluded{family=\"ipv6\",pool=\"default\"} 0.0");
    blue.set(new AddressCounts(9, 0, 0, 0));
    assertThat(scrape.samples("cilium_ipam_available{family=\"ipv4\"}"))
        .containsExactly("cilium_ipam_available{family=\"ipv4\"} 109.0");
  }

  @Test
  @DisplayName("A79 Of a pool of blocks is shown what waits, and how often it was built anew")
  void blocks() {
    metrics.blocks("ipv4", "mars", () -> new BlockCounts(1, 14, 3));
    metrics.offerRebuilt();
    metrics.offerRebuilt();
    assertThat(scrape.samples("cilium_ipam_"))
        .containsExactlyInAnyOrder(
            "cilium_ipam_pending{family=\"ipv4\",pool=\"mars\"} 1.0",
            "cilium_ipam_quarantined{family=\"ipv4\",pool=\"mars\"} 14.0",
            "cilium_ipam_offered_not_taken_ips{family=\"ipv4\",pool=\"mars\"} 3.0",
            "cilium_ipam_offer_rebuilt_total 2.0");
  }

  @Test
  @DisplayName("Writes of the node's object are measured as the triggers of an operator are")
  void sync() {
    metrics.sync().queued();
    metrics.sync().queued();
    metrics.sync().ran(Duration.ofMillis(40), Duration.ofSeconds(3), 2);
    assertThat(scrape.samples("cilium_ipam_sync_"))
        .contains(
            "cilium_ipam_sync_queued_total 2.0",
            "cilium_ipam_sync_folds 2.0",
            "cilium_ipam_sync_duration_seconds_bucket{le=\"0.05\"} 1",
            "cilium_ipam_sync_latency_seconds_sum 3.0");
  }

  @Test
  @DisplayName("Allocations, releases and attempts add up, each family and outcome for itself")
  void events() {
    metrics.allocated("ipv4", "default", -1);
    metrics.allocated("ipv4", "default", -1);
    metrics.allocated("ipv6", "default", -1);
    metrics.released("ipv4");
    metrics.denied("ipv4", true);
    metrics.denied("ipv6", false);
    assertThat(scrape.samples("cilium_ipam_"))
        .containsExactlyInAnyOrder(
            "cilium_ipam_events_total{action=\"allocate\",family=\"ipv4\"} 2.0",
            "cilium_ipam_events_total{action=\"allocate\",family=\"ipv6\"} 1.0",
            "cilium_ipam_events_total{action=\"release\",family=\"ipv4\"} 1.0",
            "cilium_ipam_allocation_attempts{family=\"ipv4\",outcome=\"success\"} 2.0",
            "cilium_ipam_allocation_attempts{family=\"ipv6\",outcome=\"success\"} 1.0",
            "cilium_ipam_allocation_attempts{family=\"ipv4\",outcome=\"exhausted\"} 1.0",
            "cilium_ipam_allocation_attempts{family=\"ipv6\",outcome=\"error\"} 1.0");
    assertThat(scrape.types().get("cilium_ipam_events_total")).isEqualTo("counter");
    assertThat(scrape.types().get("cilium_ipam_allocation_attempts")).isEqualTo("gauge");
  }

  @Test
  @DisplayName("Allocations are counted after a collection of garbage as before it")
  void garbage() {
    metrics.allocated("ipv4", "default", -1);
    WeakReference<Object> collected = new WeakReference<>(new Object());
    for (int i = 0; i < 100 && !collected.refersTo(null); i++) {
      System.gc();
    }
    metrics.allocated("ipv4", "default", -1);
    assertThat(scrape.samples("cilium_ipam_events_total{action=\"allocate\""))
        .containsExactly("cilium_ipam_events_total{action=\"allocate\",family=\"ipv4\"} 2.0");
  }

  @Test
  @DisplayName("How long an address was free before it is allocated again is a histogram")
  void reuse() {
    metrics.allocated("ipv4", "default", Duration.ofSeconds(130).toNanos());
    metrics.allocated("ipv4", "default", Duration.ofMinutes(10).toNanos());
    metrics.allocated("ipv4", "default", -1);
    assertThat(scrape.samples("cilium_ipam_reuse_distance_seconds_"))
        .contains(
            "cilium_ipam_reuse_distance_seconds_bucket{family=\"ipv4\",pool=\"default\",le=\"120.0\"} 0",
            "cilium_ipam_reuse_distance_seconds_bucket{family=\"ipv4\",pool=\"default\",le=\"130.0\"} 1",
            "cilium_ipam_reuse_distance_seconds_count{family=\"ipv4\",pool=\"default\"} 2",
            "cilium_ipam_reuse_distance_seconds_sum{family=\"ipv4\",pool=\"default\"} 730.0");
  }
}
