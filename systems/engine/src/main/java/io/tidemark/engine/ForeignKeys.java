package io.tidemark.engine;

import io.tidemark.config.ConfigKeys;
import java.util.Set;

/**
 * Keys of docs/config.md that are no settings of an embedded engine: those of the program {@code
 * tidemark}, and those of a cluster if the nodes are elsewhere.
 */
final class ForeignKeys {
  private static final String PROGRAM = "the program tidemark";

  private ForeignKeys() {}

  /** The same keys; the others are refused with their owner, and with what to use instead. */
  static ConfigKeys refusedBy(ConfigKeys keys) {
    return keys.withForeign(
            PROGRAM, Set.of("provider", "ipam"), "Call provider(...) of TidemarkBuilder.")
        .withForeign(
            PROGRAM,
            Set.of("plugins"),
            "Add the provider to the class path, or call provider(...) with its factory.")
        .withForeign(
            PROGRAM,
            Set.of("enable-metrics", "metrics-prefix"),
            "Call metrics(...) of TidemarkBuilder.")
        .withForeign(
            "KubernetesBackend",
            Set.of(
                "nodes-gc-interval",
                "pre-allocate-cordoned",
                "leader-election",
                "leader-election-namespace",
                "leader-election-lease-duration",
                "leader-election-renew-deadline",
                "leader-election-retry-period",
                "operator-k8s-client-qps",
                "operator-k8s-client-burst",
                "kube-api-qps",
                "kube-api-burst",
                "k8s-request-timeout"),
            "Remove the key, or call store(...) with a KubernetesBackend.");
  }
}
