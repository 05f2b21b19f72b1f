package io.tidemark.testing;

import io.tidemark.metrics.InterfaceMetrics;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Remembers what a provider reported: counts add up, of settings the last one wins. */
public final class RecordingInterfaceMetrics implements InterfaceMetrics {
  private final Map<String, Long> all = new TreeMap<>();
  private final Map<String, String> sources = new TreeMap<>();
  private @Nullable Collection collection;

  /** Fallbacks to a rung so far. */
  public synchronized long fallbacks(String rung) {
    return all.getOrDefault("fallback " + rung, 0L);
  }

  /**
   * The last number of addresses on their way from a subnet; -1 when nothing was, or it is gone.
   */
  public synchronized long inFlightOf(String subnetId) {
    return all.getOrDefault("subnet " + subnetId, -1L);
  }

  /** How old a subnet's count was last said to be; empty when nobody said, or it is gone. */
  public synchronized Optional<Duration> countAgeOf(String subnetId) {
    return Optional.ofNullable(all.get("age of " + subnetId)).map(Duration::ofNanos);
  }

  /** Addresses of a subnet last said to be in quarantine; -1 when nobody said, or it is gone. */
  public synchronized long quarantinedOf(String subnetId) {
    return all.getOrDefault("quarantine of " + subnetId, -1L);
  }

  /** How many operations ended so. */
  public synchronized long operations(String operation, OperationEnd end) {
    return all.getOrDefault("operation " + operation + " " + end, 0L);
  }

  /** How long operations took together. */
  public synchronized Duration operationTime() {
    return Duration.ofNanos(all.getOrDefault("operation time", 0L));
  }

  /** How many changes met a newer resource. */
  public synchronized long staleEtags() {
    return all.getOrDefault("stale etag", 0L);
  }

  /** Where limits come from, by type. */
  public synchronized Map<String, String> limitsSources() {
    return new TreeMap<>(sources);
  }

  /** How often that happened. */
  public synchronized long leftOvers(LeftOver what) {
    return all.getOrDefault("left over " + what, 0L);
  }

  /** How the collection was last said to stand; empty when nobody said. */
  public synchronized Optional<Collection> collectionState() {
    return Optional.ofNullable(collection);
  }

  @Override
  public synchronized void collection(Collection state) {
    collection = state;
  }

  @Override
  public synchronized void fallback(String rung) {
    all.merge("fallback " + rung, 1L, Long::sum);
  }

  @Override
  public synchronized void inFlight(String subnetId, long addresses) {
    all.put("subnet " + subnetId, addresses);
  }

  @Override
  public synchronized void subnetGone(String subnetId) {
    all.remove("subnet " + subnetId);
    all.remove("age of " + subnetId);
    all.remove("quarantine of " + subnetId);
  }

  @Override
  public synchronized void countAge(String subnetId, Duration age) {
    all.put("age of " + subnetId, age.toNanos());
  }

  @Override
  public synchronized void quarantined(String subnetId, long addresses) {
    all.put("quarantine of " + subnetId, addresses);
  }

  @Override
  public synchronized void operation(String operation, OperationEnd end, Duration took) {
    all.merge("operation " + operation + " " + end, 1L, Long::sum);
    all.merge("operation time", took.toNanos(), Long::sum);
  }

  @Override
  public synchronized void staleEtag() {
    all.merge("stale etag", 1L, Long::sum);
  }

  @Override
  public synchronized void remainingRequests(String bucket, long count) {
    all.put("left of " + bucket, count);
  }

  @Override
  public synchronized void limitsSource(String type, String source) {
    sources.put(type, source);
  }

  @Override
  public synchronized void leftOver(LeftOver what) {
    all.merge("left over " + what, 1L, Long::sum);
  }
}
