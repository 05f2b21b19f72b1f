package io.tidemark.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.NodeIdMetrics.NodeIdCounts;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a scrape shows of the ids of nodes (node-id 19.3 AM16)")
class MicrometerNodeIdMetricsTest {
  @Test
  @DisplayName("Ids and nodes have their present numbers at each scrape; claims add up")
  void shown() {
    Scrape scrape = new Scrape();
    MicrometerNodeIdMetrics metrics = new MicrometerNodeIdMetrics(scrape.registry);
    AtomicReference<NodeIdCounts> now =
        new AtomicReference<>(
            new NodeIdCounts(Map.of("claimed", 0L, "never", 254L), Map.of("assigned", 0), 0));
    metrics.nodeIds(now::get);
    now.set(new NodeIdCounts(Map.of("claimed", 2L, "never", 252L), Map.of("assigned", 2), 1));
    metrics.claimed(Duration.ofMillis(250));
    metrics.claimed(Duration.ofMillis(750));
    metrics.reasserted();
    assertThat(scrape.samples("tidemark_node_id_"))
        .contains(
            "tidemark_node_id_ids{state=\"claimed\"} 2.0",
            "tidemark_node_id_ids{state=\"never\"} 252.0",
            "tidemark_node_id_nodes{state=\"assigned\"} 2.0",
            "tidemark_node_id_conflicts 1.0",
            "tidemark_node_id_claim_duration_seconds_sum 1.0",
            "tidemark_node_id_reasserted_total 1.0");
  }
}
