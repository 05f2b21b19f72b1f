package io.tidemark.config;

import java.util.List;

/**
 * The settings of one place, of one strength.
 *
 * @param isShared whether others use the place too, such as the ConfigMap of the agents: foreign
 *     keys and empty values are ignored there. Whatever is not ours in a place of our own is a
 *     mistake
 * @param settings as written there
 */
public record ConfigLayer(boolean isShared, List<Setting> settings) {
  /** A place of ours. */
  public static ConfigLayer own(List<Setting> settings) {
    return new ConfigLayer(false, settings);
  }

  /** A place that others use, too. */
  public static ConfigLayer shared(List<Setting> settings) {
    return new ConfigLayer(
        true, settings.stream().filter(each -> !each.value().isBlank()).toList());
  }
}
