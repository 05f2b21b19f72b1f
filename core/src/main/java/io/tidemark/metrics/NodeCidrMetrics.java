package io.tidemark.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Measurements of the pod CIDRs of the nodes of a cluster. Thread-safe; never blocks. */
public interface NodeCidrMetrics {
  /**
   * The nodes and ranges have numbers from now on.
   *
   * @param counts the present ones, from any thread at any time
   */
  void counts(Supplier<NodeCidrCounts> counts);

  /**
   * A block was taken for a node.
   *
   * @param clusterCidr the range
   * @param passedOver taken blocks that the search passed over
   */
  void allocated(String clusterCidr, long passedOver);

  /** A node has its CIDRs, so long after it was seen without any. */
  void assigned(Duration took);

  /**
   * A write of the CIDRs of a node ended.
   *
   * @param ending one of few names
   */
  void written(String ending);

  /** Writes of CiliumNodes, under the names that the Cilium operator's have. */
  TriggerMetrics k8sSync();

  /**
   * Numbers of one moment.
   *
   * @param nodes by their state, each of few names
   * @param oldestWaiting how long the node without CIDRs has waited that waits longest; zero when
   *     none waits
   * @param conflicts nodes whose CIDRs others have as well
   */
  record NodeCidrCounts(
      List<RangeCounts> ranges, Map<String, Integer> nodes, Duration oldestWaiting, int conflicts) {
    public NodeCidrCounts {
      ranges = List.copyOf(ranges);
      nodes = Map.copyOf(nodes);
    }
  }

  /**
   * Numbers of one range. The last two grow since the start and count each change of a block,
   * whatever caused it.
   *
   * @param blocks by their state, each of few names
   * @param max blocks in all
   * @param frontier the first block that a next leader may give out at once, -1 for none
   */
  record RangeCounts(
      String clusterCidr,
      String family,
      Map<String, Long> blocks,
      long max,
      long frontier,
      long allocations,
      long releases) {
    public RangeCounts {
      blocks = Map.copyOf(blocks);
    }

    /** Which part of the blocks is not free, from 0 to 1. */
    double usage() {
      return max == 0 ? 0 : (double) (max - blocks.getOrDefault("free", 0L)) / max;
    }
  }
}
