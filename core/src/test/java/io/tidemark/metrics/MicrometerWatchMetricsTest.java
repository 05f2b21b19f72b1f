package io.tidemark.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a scrape shows of the watches of a cluster")
class MicrometerWatchMetricsTest {
  @Test
  @DisplayName("Each kind has the age of its watch, and goes with it")
  void shown() {
    Scrape scrape = new Scrape();
    MicrometerWatchMetrics metrics = new MicrometerWatchMetrics(scrape.registry);
    metrics.refresh();
    assertThat(scrape.samples("tidemark_watch_")).isEmpty();
    Map<String, Duration> ages = new HashMap<>();
    ages.put("CiliumNodes", Duration.ofMillis(1500));
    ages.put("Pods", Duration.ofMinutes(5));
    metrics.watches(() -> ages);
    metrics.refresh();
    assertThat(scrape.samples("tidemark_watch_"))
        .containsExactlyInAnyOrder(
            "tidemark_watch_age_seconds{kind=\"ciliumnodes\"} 1.5",
            "tidemark_watch_age_seconds{kind=\"pods\"} 300.0");
    ages.remove("Pods");
    metrics.refresh();
    assertThat(scrape.samples("tidemark_watch_")).hasSize(1);
  }
}
