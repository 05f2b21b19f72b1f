package io.tidemark.node.config;

import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.SharedKey;
import java.time.Duration;
import java.util.Objects;

/**
 * Settings of the release of addresses (node-manager 4, 2.7).
 *
 * @param enabled whether addresses are released at all
 * @param delay how long an address must be in excess before it is released
 * @param hysteresis whether only addresses above the sum of the marks and max-above-watermark are
 *     released
 * @param minBatch with hysteresis, the smallest excess that is released, 1 or more
 */
public record ReleaseConfig(boolean enabled, Duration delay, boolean hysteresis, int minBatch) {
  public ReleaseConfig {
    Objects.requireNonNull(delay, "delay");
    if (minBatch < 1) {
      throw new IllegalArgumentException("minBatch is " + minBatch + "; expected 1 or more");
    }
  }

  static ReleaseConfig read(ConfigReader reader, SharedKey.Profile profile) {
    ReleaseConfig config =
        new ReleaseConfig(
            EngineKey.RELEASE_EXCESS_IPS.read(reader),
            EngineKey.EXCESS_IP_RELEASE_DELAY.read(reader),
            EngineKey.RELEASE_HYSTERESIS.read(reader),
            EngineKey.RELEASE_MIN_BATCH.read(reader));
    config.check(reader, profile);
    return config;
  }

  private void check(ConfigReader reader, SharedKey.Profile profile) {
    ConfigProblems problems = reader.problems();
    if (hysteresis && !enabled) {
      problems.contradiction(
          reader.source(),
          EngineKey.RELEASE_HYSTERESIS.key(),
          EngineKey.RELEASE_EXCESS_IPS.key(),
          "nothing is released, so there is nothing to hold back");
    }
    if (hysteresis && profile == SharedKey.Profile.REFERENCE) {
      problems.contradiction(
          reader.source(),
          EngineKey.RELEASE_HYSTERESIS.key(),
          EngineKey.IPAM_PROFILE.key(),
          "the reference has no hysteresis");
    }
    if (minBatch > 1 && !hysteresis) {
      problems.contradiction(
          reader.source(),
          EngineKey.RELEASE_MIN_BATCH.key(),
          EngineKey.RELEASE_HYSTERESIS.key(),
          "a least batch is part of the hysteresis");
    }
  }
}
