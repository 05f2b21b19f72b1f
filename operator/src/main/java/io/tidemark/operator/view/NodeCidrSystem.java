package io.tidemark.operator.view;

import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.cluster.run.SystemRun;
import io.tidemark.cluster.run.SystemSetup;
import io.tidemark.config.ConfigSource;
import io.tidemark.kubernetes.KubernetesConfig;
import io.tidemark.metrics.NodeCidrMetrics;
import io.tidemark.nodecidr.config.NodeCidrConfig;
import io.tidemark.nodecidr.controller.Explanation;
import io.tidemark.nodecidr.controller.NodeReport;
import io.tidemark.resilience.CallCounts;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The assignment of pod CIDRs to the nodes of one backend, from start to stop. */
public final class NodeCidrSystem extends SystemRun<ClusterNodeBackend, NodeCidrWork> {
  /** No request goes to a cloud. */
  private static final int CLOUD_REQUESTS = 1;

  private NodeCidrSystem(SystemSetup<ClusterNodeBackend, NodeCidrWork> setup) {
    super(setup);
  }

  /**
   * Opens and starts nothing yet.
   *
   * @param config with ranges
   * @param source all settings, for the backend
   * @param readOnly nothing is changed, and no other process is locked out
   */
  public static NodeCidrSystem of(
      NodeCidrConfig config,
      ClusterNodeBackend.Opener backend,
      ConfigSource source,
      KubernetesConfig kubernetes,
      NodeCidrMetrics metrics,
      boolean readOnly) {
    SecureRandom random = new SecureRandom();
    NodeCidrWork.Choices choices =
        new NodeCidrWork.Choices(config, kubernetes.requestTimeout(), metrics, random, readOnly);
    return new NodeCidrSystem(
        new SystemSetup<>(
            "allocator",
            backend,
            source,
            random,
            readOnly,
            Optional.empty(),
            CLOUD_REQUESTS,
            (opened, threads, changed) ->
                CompletableFuture.completedStage(
                    () -> new NodeCidrWork(choices, opened, threads, changed))));
  }

  /** The state of all nodes, by name. */
  List<NodeReport> reports() {
    return work().map(it -> it.controller().status().nodes()).orElseGet(List::of);
  }

  /** Why a node has what it has; empty for an unknown name. */
  Optional<Explanation> explain(String name) {
    return work().flatMap(it -> it.controller().explain(name));
  }

  /** Requests sent so far. */
  CallCounts counts() {
    return new CallCounts(
        work().map(NodeCidrWork::requests).orElseGet(TreeMap::new), new TreeMap<>());
  }
}
