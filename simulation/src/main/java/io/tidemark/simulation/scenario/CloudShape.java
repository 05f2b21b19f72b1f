package io.tidemark.simulation.scenario;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Speed and limits of the cloud's API.
 *
 * @param latencies by operation; operations left out keep the cloud's own
 * @param spread each latency is drawn from its value plus and minus this share of it, 0 to 1
 * @param buckets by operation; operations left out keep the cloud's own
 * @param limited whether there are buckets at all
 * @param staleness reads may show a state that is up to this old
 */
public record CloudShape(
    SortedMap<String, Duration> latencies,
    double spread,
    SortedMap<String, Bucket> buckets,
    boolean limited,
    Duration staleness) {
  /** The cloud's own latencies and buckets, reads always fresh. */
  public static final CloudShape DEFAULT =
      new CloudShape(
          Collections.emptySortedMap(), 0.2, Collections.emptySortedMap(), true, Duration.ZERO);

  public CloudShape {
    latencies = sorted(latencies);
    buckets = sorted(buckets);
    Objects.requireNonNull(staleness, "staleness");
  }

  /**
   * A token bucket of one operation.
   *
   * @param perSecond refill
   * @param burst size
   */
  public record Bucket(double perSecond, int burst) {}

  private static <T> SortedMap<String, T> sorted(Map<String, T> given) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(given));
  }
}
