package io.tidemark.engine;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.cluster.run.RunThreads;
import io.tidemark.config.ConfigSource;
import io.tidemark.metrics.Meters;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.CloudCallsFactory;
import io.tidemark.spi.ProviderFactory;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The parts of an engine.
 *
 * @param config the settings of the engine, checked
 * @param source all settings, for provider and backend
 * @param threads empty for threads of its own
 * @param cloud empty for a cloud door of its own
 * @param readOnly nothing is changed, neither in the cloud nor in the store
 */
record EngineSetup(
    ProviderFactory provider,
    NodeBackend.Opener backend,
    EngineConfig config,
    ConfigSource source,
    Meters metrics,
    Optional<RunThreads> threads,
    RandomGenerator random,
    Optional<CloudCallsFactory> cloud,
    boolean readOnly) {
  static CloudCallsConfig calls(EngineConfig config) {
    CloudCallsConfig calls =
        CloudCallsConfig.defaults().withWorkers(config.maintenance().parallelCalls());
    return config
        .ceiling()
        .map(each -> calls.withCeiling(each.callsPerSecond(), each.burst()))
        .orElse(calls);
  }
}
