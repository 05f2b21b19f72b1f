package io.tidemark.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Tells the scheduler which nodes have no address for another pod, by a taint and a condition of
 * the Kubernetes Node. What was said last of a node is carried out soon, and again until it works.
 * Thread-safe; never blocks, never throws.
 */
public interface NodeScheduling {
  /** There is no scheduler to tell. */
  NodeScheduling NONE =
      new NodeScheduling() {
        @Override
        public Optional<Duration> delay() {
          return Optional.empty();
        }

        @Override
        public void exhausted(String node, NodeProblem why) {
          // nobody is told
        }

        @Override
        public void available(String node) {
          // nobody is told
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

  /** Pods can be placed on the node; takes away what this or an earlier operator said. */
  void available(String node);

  /** Whether pods are kept away: by what was said last, else by what the node shows. */
  boolean isTainted(String node);

  /** Names of the nodes that show that pods are kept away, whoever said it. */
  List<String> tainted();
}
