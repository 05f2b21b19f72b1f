package io.tidemark.spi;

import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.resource.NodeResource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Creates a provider; found by {@link java.util.ServiceLoader} and chosen by name. */
public interface ProviderFactory {
  /** The value of {@code --provider} that chooses it, lower case. */
  String name();

  /**
   * The cloud's word in the names of the metrics of its requests, {@code
   * cilium_operator_WORD_api_duration_seconds}; the name by default.
   */
  default String metricsName() {
    return name();
  }

  /** Its settings beside {@link io.tidemark.config.SharedKey}; all others are refused. */
  default List<Option<?>> settings() {
    return List.of();
  }

  /** The default of {@code pass-timeout}, if changes take minutes; empty for the engine's. */
  default Optional<Duration> passTimeout() {
    return Optional.empty();
  }

  /**
   * Whether it has {@link Capability#ALIAS_RANGES}, without creating it: modes that need alias
   * ranges refuse to start with another provider, and list those that have them. False by default.
   */
  default boolean hasAliasRanges() {
    return false;
  }

  /**
   * Creates the provider for one cluster; sends no request.
   *
   * @throws io.tidemark.error.IpamException listing every wrong setting at once
   */
  AllocationImplementation create(ProviderContext context);

  /**
   * The checks that {@code doctor} runs with these settings; sends no request yet.
   *
   * @return {@link Checkup#NOTHING} by default
   * @throws io.tidemark.error.IpamException listing every wrong setting at once
   */
  default Checkup checkup(ProviderContext context) {
    return Checkup.NOTHING;
  }

  /**
   * Fills a new instance of a plan of capacity; sends nothing.
   *
   * @param node names the instance's type in the section of this cloud
   * @return empty, the default, where the provider plans none
   * @throws io.tidemark.error.IpamException listing every wrong setting, or with {@link
   *     BlockedReason#LIMITS_UNKNOWN}
   */
  default Optional<PlannedInstance> plan(
      ConfigSource config,
      NodeSettings settings,
      NodeResource node,
      PlannedInstance.Passes passes) {
    return Optional.empty();
  }
}
