package io.tidemark.config;

/**
 * A known setting in a shared place that has no effect in this program.
 *
 * @param key as written
 * @param origin where it was given
 * @param reason why it has no effect, such as {@code is a setting of provider aws}
 */
public record IgnoredSetting(String key, String origin, String reason) {}
