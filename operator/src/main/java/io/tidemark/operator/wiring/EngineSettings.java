package io.tidemark.operator.wiring;

import io.tidemark.config.CallCeiling;
import io.tidemark.config.CoreConfig;
import io.tidemark.node.NodeManagerConfig;
import io.tidemark.resilience.CloudCallsConfig;

/** What the settings mean for each part of the engine. Pure. */
final class EngineSettings {
  private EngineSettings() {}

  /** For the node manager, with so many lanes. */
  static NodeManagerConfig nodes(CoreConfig config, int lanes) {
    NodeManagerConfig usual = NodeManagerConfig.defaults();
    return new NodeManagerConfig(
        lanes,
        config.release().enabled(),
        config.release().delay(),
        config.engine().prefixDelegation(),
        config.engine().backgroundSyncInterval(),
        config.engine().notRunningGrace(),
        config.release().minBatch(),
        config.release().hysteresis(),
        config.backoff().base(),
        config.backoff().factor(),
        config.backoff().cap(),
        config.backoff().resetAfter(),
        config.engine().syncAttempts(),
        usual.passTimeout(),
        usual.storeTimeout(),
        config.isReferenceCompatible());
  }

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
