package io.tidemark.config;

import java.util.List;
import java.util.Objects;

/**
 * The settings of one place, of one strength.
 *
 * @param kind whose place it is
 * @param settings as written there
 */
public record ConfigLayer(Kind kind, List<Setting> settings) {
  /** Whose place it is. */
  public enum Kind {
    /** Ours alone: whatever is not ours there is a mistake. */
    OWN,
    /**
     * Shared with other programs, such as the ConfigMap of the agents: foreign keys and empty
     * values are ignored.
     */
    SHARED
  }

  public ConfigLayer {
    Objects.requireNonNull(kind, "kind");
    settings = List.copyOf(settings);
  }

  /** A place of ours. */
  public static ConfigLayer own(List<Setting> settings) {
    return new ConfigLayer(Kind.OWN, settings);
  }

  /** A place that others use, too. */
  public static ConfigLayer shared(List<Setting> settings) {
    List<Setting> given = settings.stream().filter(each -> !each.value().isBlank()).toList();
    return new ConfigLayer(Kind.SHARED, given);
  }

  boolean isShared() {
    return kind == Kind.SHARED;
  }
}
