package io.tidemark.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.DatastoreMetrics.StoreCounts;
import java.time.Duration;
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
        new AtomicReference<>(new StoreCounts(1, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    metrics.card(0, first::get);
    metrics.card(1, () -> new StoreCounts(7, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    first.set(new StoreCounts(2, 49, 3, 4, 5, 6, 8, 9, 10, 11));
    assertThat(scrape.samples("awscni_"))
        .contains(
            "awscni_eni_allocated{card=\"0\"} 2.0",
            "awscni_eni_allocated{card=\"1\"} 7.0",
            "awscni_total_ip_addresses{card=\"0\"} 49.0",
            "awscni_assigned_ip_addresses{card=\"0\"} 3.0",
            "awscni_total_ipv4_prefixes{card=\"0\"} 4.0",
            "awscni_cooling_ip_addresses{card=\"0\"} 5.0",
            "awscni_orphan_ip_addresses{card=\"0\"} 6.0",
            "awscni_no_available_ip_addresses{card=\"0\"} 8.0",
            "awscni_force_removed_enis{card=\"0\"} 9.0",
            "awscni_force_removed_ips{card=\"0\"} 10.0",
            "awscni_cooldown_cut_short_total{card=\"0\"} 11.0");
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
}
