package io.tidemark.config;

import java.time.Duration;
import java.util.Objects;

/**
 * Giving addresses back (node-manager 4, 2.7).
 *
 * @param enabled whether anything is given back at all
 * @param delay how long an address must be in excess before
 * @param hysteresis only what exceeds the marks and max-above-watermark together
 * @param minBatch with hysteresis, the least excess that is worth it, 1 or more
 */
public record ReleaseConfig(boolean enabled, Duration delay, boolean hysteresis, int minBatch) {
  public ReleaseConfig {
    Objects.requireNonNull(delay, "delay");
    if (minBatch < 1) {
      throw new IllegalArgumentException("minBatch is " + minBatch + "; expected 1 or more");
    }
  }

  static ReleaseConfig read(ConfigReader reader, CoreConfig.Profile profile) {
    ReleaseConfig config =
        new ReleaseConfig(
            CoreKey.RELEASE_EXCESS_IPS.read(reader),
            CoreKey.EXCESS_IP_RELEASE_DELAY.read(reader),
            CoreKey.RELEASE_HYSTERESIS.read(reader),
            CoreKey.RELEASE_MIN_BATCH.read(reader));
    config.check(reader, profile);
    return config;
  }

  private void check(ConfigReader reader, CoreConfig.Profile profile) {
    ConfigProblems problems = reader.problems();
    if (hysteresis && !enabled) {
      problems.contradiction(
          reader.source(),
          CoreKey.RELEASE_HYSTERESIS.key(),
          CoreKey.RELEASE_EXCESS_IPS.key(),
          "nothing is released, so there is nothing to hold back");
    }
    if (hysteresis && profile == CoreConfig.Profile.REFERENCE) {
      problems.contradiction(
          reader.source(),
          CoreKey.RELEASE_HYSTERESIS.key(),
          CoreKey.IPAM_PROFILE.key(),
          "the reference has no hysteresis");
    }
    if (minBatch > 1 && !hysteresis) {
      problems.contradiction(
          reader.source(),
          CoreKey.RELEASE_MIN_BATCH.key(),
          CoreKey.RELEASE_HYSTERESIS.key(),
          "a least batch is part of the hysteresis");
    }
  }
}
