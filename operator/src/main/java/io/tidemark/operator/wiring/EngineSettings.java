package io.tidemark.operator.wiring;

import io.tidemark.config.CallCeiling;
import io.tidemark.config.CoreConfig;
import io.tidemark.resilience.CloudCallsConfig;

/** What the settings mean for each part of the engine. Pure. */
final class EngineSettings {
  private EngineSettings() {}

  /** For the cloud door. */
  static CloudCallsConfig calls(CoreConfig config) {
    CloudCallsConfig calls =
        CloudCallsConfig.defaults().withWorkers(config.engine().parallelCalls());
    if (config.ceiling().isEmpty()) {
      return calls;
    }
    CallCeiling ceiling = config.ceiling().get();
    return calls.withCeiling(ceiling.callsPerSecond(), ceiling.burst());
  }
}
