package io.tidemark.kubernetes;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The identity of a cluster, which differs from that of any other, even of the same name: the UID
 * of its namespace {@code kube-system}, which lives as long as the cluster (provider-aws M6).
 * Stateless.
 */
public final class ClusterIdentity {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterIdentity.class);
  private static final String NAMESPACE = "kube-system";

  private ClusterIdentity() {}

  /**
   * Reads it; blocks for one request, and a second one if that fails. Empty, with a log message, if
   * it cannot be read: then only the cluster's name identifies the cluster.
   */
  public static Optional<String> uid(ClusterConnection cluster) {
    String problem;
    try {
      return read(cluster);
    } catch (KubernetesClientException first) {
      try {
        return read(cluster);
      } catch (KubernetesClientException second) {
        problem = cluster.failure(second).text();
      }
    }
    LOG.warn(
        "The cluster's identity cannot be read; only its name identifies it. Set cluster-uid, or fix"
            + " the cause. cause={}",
        problem);
    return Optional.empty();
  }

  private static Optional<String> read(ClusterConnection cluster) {
    Namespace found = cluster.client().namespaces().withName(NAMESPACE).get();
    return Optional.ofNullable(found).map(namespace -> namespace.getMetadata().getUid());
  }
}
