package io.tidemark.engine;

import io.tidemark.config.ConfigSource;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Supplier;

/**
 * The settings as given, and where {@code cluster-uid} was not, the identity of the cluster.
 * Immutable.
 */
record BackendSettings(ConfigSource given, String clusterUid) implements ConfigSource {
  private static final String CLUSTER_UID = "cluster-uid";

  /**
   * As given, where the identity is not known or was set.
   *
   * @param clusterUid asked only where it was not set
   */
  static ConfigSource of(ConfigSource given, Supplier<Optional<String>> clusterUid) {
    if (given.value(CLUSTER_UID).isPresent()) {
      return given;
    }
    return clusterUid.get().<ConfigSource>map(uid -> new BackendSettings(given, uid)).orElse(given);
  }

  @Override
  public Optional<String> value(String key) {
    return key.equals(CLUSTER_UID) ? Optional.of(clusterUid) : given.value(key);
  }

  @Override
  public String origin(String key) {
    return key.equals(CLUSTER_UID) ? "namespace kube-system" : given.origin(key);
  }

  @Override
  public boolean isSecret(String key) {
    return given.isSecret(key);
  }

  @Override
  public SortedSet<String> keys() {
    return given.keys();
  }
}
