package io.tidemark.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Repository;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MetricDocsTest {
  @Test
  @DisplayName("docs/metrics.md lists every metric of ours with its type and labels, and no other")
  void listed() {
    List<String> expected = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      if (metric.name().startsWith("TRIGGER_")) {
        Metric.TRIGGERS.forEach(trigger -> expected.add(row(trigger + "_", metric)));
      } else {
        expected.add(row("", metric));
      }
    }
    List<String> found =
        Repository.text("docs/metrics.md")
            .lines()
            .takeWhile(line -> !line.equals("## The process"))
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.substring(0, line.lastIndexOf(" | ")))
            .toList();
    assertThat(found)
        .as("rows without their meaning; expected:%n%s", String.join("\n", expected))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  private static String row(String prefix, Metric metric) {
    String type =
        switch (metric.shape()) {
          case GAUGE -> "gauge";
          case COUNTER -> "counter";
          case SUM -> "sum";
          case HISTOGRAM,
              TRIGGER_HISTOGRAM,
              API_HISTOGRAM,
              REUSE_HISTOGRAM,
              WAIT_HISTOGRAM,
              SIZE_HISTOGRAM,
              TRIES_HISTOGRAM ->
              "histogram";
        };
    String labels = metric.labels().isEmpty() ? "–" : String.join(", ", metric.labels());
    return "| `" + prefix + metric.suffix() + "` | " + type + " | " + labels;
  }
}
