package io.tidemark.cluster;

import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * How many pods the kubelet of each node accepts, which the scheduler uses. Queried in each turn of
 * a node and compared with the maximum of addresses of the node; it influences no decision.
 * Thread-safe; never blocks.
 */
@FunctionalInterface
public interface KubeletCapacity {
  /** No kubelet is known: nothing is compared. */
  KubeletCapacity UNKNOWN = node -> OptionalInt.empty();

  /**
   * {@code status.allocatable.pods} of the Kubernetes Node of that name, pods on the host's network
   * included; empty when there is no such Node or it is not known now.
   */
  OptionalInt maxPods(String node);

  /** Ends when all kubelets are known, which is never while they cannot be read. */
  default CompletionStage<?> known() {
    return CompletableFuture.completedStage(true);
  }
}
