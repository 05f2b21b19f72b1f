package io.tidemark.spi;

import io.tidemark.config.ConfigSource;
import io.tidemark.metrics.Meters;
import io.tidemark.resilience.CloudCallsFactory;
import io.tidemark.time.TaskScheduler;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The environment of a provider; everything it needs of the world comes from here.
 *
 * @param cluster the cluster's name, part of ownership tags and request tokens; empty where the
 *     provider is to create nothing that carries it
 * @param config the settings; the provider reads the keys it declared
 * @param scheduler later tasks and both clocks
 * @param random seeded; for jitter and names, never for decisions that must be reproducible
 * @param calls the door to the network
 * @param metrics where it counts
 * @param notices receives problems of the whole operator
 */
public record ProviderContext(
    String cluster,
    ConfigSource config,
    TaskScheduler scheduler,
    RandomGenerator random,
    CloudCallsFactory calls,
    Meters metrics,
    OperatorNotices notices) {
  public ProviderContext {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(scheduler, "scheduler");
    Objects.requireNonNull(random, "random");
    Objects.requireNonNull(calls, "calls");
    Objects.requireNonNull(metrics, "metrics");
    Objects.requireNonNull(notices, "notices");
  }
}
