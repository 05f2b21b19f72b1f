package io.tidemark.node;

import io.tidemark.metrics.TriggerMetrics;
import io.tidemark.time.Backoff;
import io.tidemark.time.Lanes;
import io.tidemark.time.TriggerKind;
import io.tidemark.time.TriggerObserver;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * The parts that all nodes of one manager share.
 *
 * @param passes what the triggers of passes share (node-manager 3.1)
 * @param writes what the triggers of writes of the resource share
 * @param reads what the triggers of reads of the instance share
 * @param clusterSize number of nodes now; scales back-off
 * @param changed takes the name of a node whose report may have changed; any thread
 */
record NodeEnvironment(
    NodeManagerConfig config,
    NodeManagerPorts ports,
    Lanes lanes,
    InstancesApiReadiness readiness,
    TriggerKind passes,
    TriggerKind writes,
    TriggerKind reads,
    IntSupplier clusterSize,
    Consumer<String> changed) {
  private static final Duration MIN_INTERVAL = Duration.ofMillis(10);

  static NodeEnvironment of(
      NodeManagerConfig config,
      NodeManagerPorts ports,
      InstancesApiReadiness readiness,
      IntSupplier clusterSize,
      Consumer<String> changed) {
    return new NodeEnvironment(
        config,
        ports,
        new Lanes(ports.lanes(), config.workers()),
        readiness,
        kind("deficit_resolver", ports, ports.metrics().poolMaintainer()),
        kind("k8s_sync", ports, ports.metrics().k8sSync()),
        kind("resync", ports, ports.metrics().resync()),
        clusterSize,
        changed);
  }

  private static TriggerKind kind(String name, NodeManagerPorts ports, TriggerMetrics metrics) {
    TriggerObserver observer =
        new TriggerObserver() {
          @Override
          public void queued() {
            metrics.queued();
          }

          @Override
          public void ran(Duration duration, Duration latency, int folds) {
            metrics.ran(duration, latency, folds);
          }
        };
    return new TriggerKind(name, MIN_INTERVAL, ports.scheduler(), observer);
  }

  /** Monotonic time now. */
  long now() {
    return ports.scheduler().time().nanos();
  }

  /** Pause before attempt {@code failures + 1}, 1 or more failures. */
  long backoffNanos(int failures) {
    return Backoff.pause(config.backoff(), failures, clusterSize.getAsInt(), ports.random())
        .toNanos();
  }
}
