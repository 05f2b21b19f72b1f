package io.tidemark.provider.azure.ipam;

import io.tidemark.metrics.CloudApiMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Remembers which limits were tightened: rates that were cut, and breakers that opened. */
final class LimitMetrics implements CloudApiMetrics {
  final List<String> tightened = new ArrayList<>();
  private final Map<String, Double> rates = new HashMap<>();

  @Override
  public void attempt(String operation, String responseCode, Duration took) {}

  @Override
  public void rateLimited(String operation, Duration waited) {}

  @Override
  public void retried(String operation) {}

  @Override
  public void heldBack(String effect, boolean held) {
    if (held) {
      tightened.add("breaker of " + effect);
    }
  }

  @Override
  public void rate(String operation, double callsPerSecond) {
    Double before = rates.put(operation, callsPerSecond);
    if (before != null && callsPerSecond < before) {
      tightened.add("rate of " + operation);
    }
  }
}
