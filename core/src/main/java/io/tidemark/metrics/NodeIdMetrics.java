package io.tidemark.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/** Measurements of the ids of the nodes of a cluster. Thread-safe; never blocks. */
public interface NodeIdMetrics {
  /**
   * The nodes and ids have numbers from now on.
   *
   * @param counts the present ones, from any thread at any time
   */
  void nodeIds(Supplier<NodeIdCounts> counts);

  /** A node shows its id, so long after it was seen without one. */
  void claimed(Duration took);

  /** A claim was lost and made again. */
  void reasserted();

  /**
   * Numbers of one moment.
   *
   * @param ids by their state, each of few names
   * @param nodes by their state, each of few names
   * @param conflicts nodes whose id another node has or shows as well
   */
  record NodeIdCounts(Map<String, Long> ids, Map<String, Integer> nodes, int conflicts) {
    public NodeIdCounts {
      ids = Map.copyOf(ids);
      nodes = Map.copyOf(nodes);
    }
  }
}
