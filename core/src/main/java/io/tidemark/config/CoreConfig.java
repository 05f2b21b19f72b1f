package io.tidemark.config;

import io.tidemark.time.BackoffPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The engine's settings, typed and checked (node-manager 8, N7).
 *
 * @param clusterName part of ownership tags and request tokens
 * @param profile whose formulas, order and pauses hold
 * @param engine scans, passes and writes
 * @param release giving addresses back
 * @param backoff pauses after failures; the profile is applied
 * @param ceiling hard limit over all requests to the cloud; empty for none beside what the cloud is
 *     known or learned to allow; the profile is applied
 * @param metrics what is counted
 */
public record CoreConfig(
    String clusterName,
    Profile profile,
    EngineConfig engine,
    ReleaseConfig release,
    BackoffPolicy backoff,
    Optional<CallCeiling> ceiling,
    MetricsConfig metrics) {
  /** Whose behaviour is wanted where ours differs from the reference (D-21). */
  public enum Profile {
    /** Ours. */
    TIDEMARK,
    /** The reference's, without its bugs. */
    REFERENCE
  }

  public CoreConfig {
    Objects.requireNonNull(clusterName, "clusterName");
    Objects.requireNonNull(profile, "profile");
    Objects.requireNonNull(engine, "engine");
    Objects.requireNonNull(release, "release");
    Objects.requireNonNull(backoff, "backoff");
    Objects.requireNonNull(ceiling, "ceiling");
    Objects.requireNonNull(metrics, "metrics");
  }

  /** What holds when nothing is set. */
  public static CoreConfig defaults() {
    ConfigProblems problems = new ConfigProblems();
    CoreConfig config = read(ConfigSource.of(Map.of()), problems);
    problems.throwIfAny();
    return config;
  }

  /**
   * Reads every key of {@link CoreKey}. What is not accepted is noted in {@code problems} and
   * replaced by its default; use the result only when there are none.
   */
  public static CoreConfig read(ConfigSource source, ConfigProblems problems) {
    ConfigReader reader = new ConfigReader(source, problems);
    Profile profile = CoreKey.IPAM_PROFILE.read(reader);
    BackoffPolicy backoff = backoff(reader);
    boolean reference = profile == Profile.REFERENCE;
    return new CoreConfig(
        CoreKey.CLUSTER_NAME.read(reader),
        profile,
        EngineConfig.read(reader),
        ReleaseConfig.read(reader, profile),
        reference ? backoff.referenceCompatible() : backoff,
        CallCeiling.read(reader).or(() -> reference ? CallCeiling.REFERENCE : Optional.empty()),
        new MetricsConfig(
            CoreKey.ENABLE_METRICS.read(reader), CoreKey.METRICS_PREFIX.read(reader)));
  }

  /** The same with another {@code pass-timeout}. */
  public CoreConfig withPassTimeout(Duration other) {
    return new CoreConfig(
        clusterName, profile, engine.withPassTimeout(other), release, backoff, ceiling, metrics);
  }

  /** Whether the reference's formulas hold. */
  public boolean isReferenceCompatible() {
    return profile == Profile.REFERENCE;
  }

  private static BackoffPolicy backoff(ConfigReader reader) {
    Duration base = CoreKey.BACKOFF_BASE.read(reader);
    Duration cap = CoreKey.BACKOFF_CAP.read(reader);
    if (cap.compareTo(base) < 0) {
      reader
          .problems()
          .contradiction(
              reader.source(),
              CoreKey.BACKOFF_CAP.key(),
              CoreKey.BACKOFF_BASE.key(),
              "the longest pause is "
                  + DurationText.print(cap)
                  + ", the shortest "
                  + DurationText.print(base));
      cap = base;
    }
    return new BackoffPolicy(
        base,
        CoreKey.BACKOFF_FACTOR.read(reader),
        cap,
        true,
        true,
        CoreKey.BACKOFF_RESET.read(reader));
  }
}
