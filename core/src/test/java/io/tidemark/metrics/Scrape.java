package io.tidemark.metrics;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The text that a Prometheus server would read. */
final class Scrape {
  final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** Types by name; Micrometer adds a maximum to each histogram. */
  Map<String, String> types() {
    Map<String, String> types = new TreeMap<>();
    for (String line : lines()) {
      if (line.startsWith("# TYPE ")) {
        String[] words = line.split(" ", -1);
        types.put(words[2], words[3]);
      }
    }
    return types;
  }

  /** The sample lines that begin with {@code text}. */
  List<String> samples(String text) {
    return lines().stream().filter(line -> line.startsWith(text)).toList();
  }

  private List<String> lines() {
    return registry.scrape().lines().toList();
  }
}
