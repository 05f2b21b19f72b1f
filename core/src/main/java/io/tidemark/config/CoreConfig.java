package io.tidemark.config;

import io.tidemark.time.BackoffPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

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
  private static final Pattern CLUSTER_NAME = Pattern.compile("[A-Za-z0-9._-]{1,63}");

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
    Profile profile = reader.choice(CoreKey.IPAM_PROFILE.key(), Profile.TIDEMARK);
    BackoffPolicy backoff = backoff(reader);
    boolean reference = profile == Profile.REFERENCE;
    return new CoreConfig(
        reader.text(
            CoreKey.CLUSTER_NAME.key(),
            "default",
            CLUSTER_NAME,
            "1 to 63 letters, digits, '.', '_' and '-'"),
        profile,
        EngineConfig.read(reader),
        ReleaseConfig.read(reader, profile),
        reference ? backoff.referenceCompatible() : backoff,
        CallCeiling.read(reader).or(() -> reference ? CallCeiling.REFERENCE : Optional.empty()),
        MetricsConfig.read(reader));
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
    Duration least = Duration.ofMillis(1);
    Duration day = Duration.ofDays(1);
    BackoffPolicy otherwise = BackoffPolicy.DEFAULT;
    Duration base =
        reader.duration(CoreKey.BACKOFF_BASE.key(), otherwise.base(), least, Duration.ofHours(1));
    double factor = reader.decimal(CoreKey.BACKOFF_FACTOR.key(), otherwise.factor(), 1, 10);
    Duration cap = reader.duration(CoreKey.BACKOFF_CAP.key(), otherwise.cap(), least, day);
    Duration reset =
        reader.duration(CoreKey.BACKOFF_RESET.key(), otherwise.resetAfter(), least, day);
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
    return new BackoffPolicy(base, factor, cap, true, true, reset);
  }
}
