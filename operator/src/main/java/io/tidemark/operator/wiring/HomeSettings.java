package io.tidemark.operator.wiring;

import io.tidemark.config.ConfigSource;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The settings as given, and where {@code cluster-uid} was not, the identity that the home of the
 * nodes knows. Immutable.
 */
record HomeSettings(ConfigSource given, String clusterUid) implements ConfigSource {
  private static final String CLUSTER_UID = "cluster-uid";

  /** As given, where the home knows nothing or somebody set it. */
  static ConfigSource of(ConfigSource given, Optional<String> clusterUid) {
    return clusterUid.isEmpty() || given.value(CLUSTER_UID).isPresent()
        ? given
        : new HomeSettings(given, clusterUid.get());
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
