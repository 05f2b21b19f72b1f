package io.tidemark.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a scrape shows of the answers to CNI plugins")
class MicrometerCniMetricsTest {
  private final Scrape scrape = new Scrape();
  private final MicrometerCniMetrics metrics = new MicrometerCniMetrics(scrape.registry);

  @Test
  @DisplayName(
      "Answers add up by command and code, times by command; of the waiting the last counts")
  void answers() {
    assertThat(scrape.samples("cilium_cni_")).containsExactly("cilium_cni_waiting 0.0");
    metrics.answered("ADD", 0, Duration.ofMillis(3));
    metrics.answered("ADD", 0, Duration.ofMillis(997));
    metrics.answered("ADD", 11, Duration.ofSeconds(9));
    metrics.answered("STATUS", 50, Duration.ZERO);
    metrics.waiting(5);
    metrics.waiting(4);

    assertThat(scrape.samples("cilium_cni_requests_total"))
        .containsExactlyInAnyOrder(
            "cilium_cni_requests_total{code=\"0\",command=\"ADD\"} 2.0",
            "cilium_cni_requests_total{code=\"11\",command=\"ADD\"} 1.0",
            "cilium_cni_requests_total{code=\"50\",command=\"STATUS\"} 1.0");
    assertThat(scrape.samples("cilium_cni_duration_seconds_sum"))
        .containsExactlyInAnyOrder(
            "cilium_cni_duration_seconds_sum{command=\"ADD\"} 10.0",
            "cilium_cni_duration_seconds_sum{command=\"STATUS\"} 0.0");
    assertThat(scrape.samples("cilium_cni_duration_seconds_bucket{command=\"ADD\",le=\"0.005\"}"))
        .containsExactly("cilium_cni_duration_seconds_bucket{command=\"ADD\",le=\"0.005\"} 1");
    assertThat(scrape.samples("cilium_cni_waiting")).containsExactly("cilium_cni_waiting 4.0");
  }
}
