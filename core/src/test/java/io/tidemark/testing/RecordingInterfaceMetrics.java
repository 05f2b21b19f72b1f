package io.tidemark.testing;

import io.tidemark.metrics.InterfaceMetrics;
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

  /** What was last said to be on its way from a subnet; -1 when nothing was, or it is gone. */
  public synchronized long inFlightOf(String subnetId) {
    return all.getOrDefault("subnet " + subnetId, -1L);
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
