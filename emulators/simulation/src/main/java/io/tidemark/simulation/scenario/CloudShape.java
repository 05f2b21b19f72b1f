package io.tidemark.simulation.scenario;

import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Speed and limits of the cloud's API.
 *
 * @param latencies by operation; operations left out keep the usual ones
 * @param spread each latency is drawn from its value plus and minus this share of it, 0 to 1
 * @param buckets share of the cloud's documented token buckets that is ours; 0 for no limits at all
 * @param staleness reads may show a state that is up to this old
 */
public record CloudShape(
    SortedMap<String, Duration> latencies, double spread, double buckets, Duration staleness) {
  /** The usual latencies, the documented buckets, reads always fresh. */
  public static final CloudShape DEFAULT =
      new CloudShape(Collections.emptySortedMap(), 0.2, 1, Duration.ZERO);

  public CloudShape {
    latencies = Collections.unmodifiableSortedMap(new TreeMap<>(latencies));
  }
}
