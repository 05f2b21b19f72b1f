package io.tidemark.program;

import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConfigMap;
import io.tidemark.kubernetes.ClusterConnection;
import java.util.Map;

/** Settings in a ConfigMap; reading them is one request on a connection of its own. */
record ConfigMapSettings(ClusterConfigMap place, ClusterAccess access) implements ClusterSettings {
  @Override
  public String where() {
    return place.toString();
  }

  @Override
  public Map<String, String> read() {
    try (ClusterConnection cluster = ClusterConnection.open(access)) {
      return place.read(cluster);
    }
  }
}
