package io.tidemark.kubernetes;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import java.util.Map;

/**
 * A ConfigMap with settings, such as {@code kube-system/cilium-config}, which agents and operators
 * share.
 */
public record ClusterConfigMap(String namespace, String name) {
  /**
   * All keys and values; blocks for one request.
   *
   * @throws IpamException {@code CLUSTER_ACCESS} when it cannot be read or is not there
   */
  public Map<String, String> read(ClusterConnection cluster) {
    ConfigMap found;
    try {
      found = cluster.client().configMaps().inNamespace(namespace).withName(name).get();
    } catch (KubernetesClientException e) {
      throw new IpamException(
          CoreError.CLUSTER_ACCESS, this + " cannot be read: " + cluster.failure(e).text());
    }
    if (found == null) {
      throw new IpamException(CoreError.CLUSTER_ACCESS, "there is no " + this);
    }
    return found.getData() == null ? Map.of() : Map.copyOf(found.getData());
  }

  @Override
  public String toString() {
    return "ConfigMap " + namespace + '/' + name;
  }
}
