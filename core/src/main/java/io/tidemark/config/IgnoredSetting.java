package io.tidemark.config;

import java.util.Objects;

/**
 * A setting of a shared place that is known and has no effect here.
 *
 * @param key as written
 * @param origin where it stands
 * @param reason why it has no effect, such as {@code is a setting of provider aws}
 */
public record IgnoredSetting(String key, String origin, String reason) {
  public IgnoredSetting {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(reason, "reason");
  }
}
