package io.tidemark.node.exhaustion;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.cluster.TaintedNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A cluster that outlives operators: what it was told, and the taints that its nodes have. */
public final class ToldScheduler implements TaintedNodes {
  /** The reason on each tainted node. */
  public final TreeMap<String, String> taints = new TreeMap<>();

  public final List<String> told = new ArrayList<>();
  public Optional<Duration> delay = Optional.of(Duration.ofSeconds(20));

  @Override
  public Optional<Duration> delay() {
    return delay;
  }

  @Override
  public void exhausted(String node, NodeProblem why) {
    told.add(node + " " + why.code().name());
    taints.put(node, why.code().name());
  }

  @Override
  public void available(String node) {
    told.add(node + " available");
    taints.remove(node);
  }

  @Override
  public boolean isTainted(String node) {
    return taints.containsKey(node);
  }

  @Override
  public List<String> tainted() {
    return List.copyOf(taints.keySet());
  }
}
