package io.tidemark.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Keeps pods away from nodes that have no address for them, by a taint and a condition of the
 * Kubernetes Node. The last call for a node is carried out soon, and retried until it succeeds.
 * Thread-safe; never blocks, never throws.
 */
public interface TaintedNodes {
  /** No node is tainted. */
  TaintedNodes NONE =
      new TaintedNodes() {
        @Override
        public Optional<Duration> delay() {
          return Optional.empty();
        }

        @Override
        public void exhausted(String node, NodeProblem why) {
          // nothing is tainted
        }

        @Override
        public void available(String node) {
          // nothing is tainted
        }

        @Override
        public boolean isTainted(String node) {
          return false;
        }

        @Override
        public List<String> tainted() {
          return List.of();
        }
      };

  /**
   * How long a node has to be without an address before it is tainted; empty where nodes are not to
   * be tainted, and taints that are left are only removed.
   */
  Optional<Duration> delay();

  /** No more pods are to be placed on the node, for this reason. */
  void exhausted(String node, NodeProblem why);

  /** Pods can be placed on the node; removes the taint and condition of any operator. */
  void available(String node);

  /** Whether pods are kept away: by the last call for the node, else by what it shows. */
  boolean isTainted(String node);

  /** Names of the nodes that have the taint or the condition, from any operator. */
  List<String> tainted();
}
