package io.tidemark.node;

import io.tidemark.metrics.Metric.Prefix;
import io.tidemark.time.Backoff;
import io.tidemark.time.Lanes;
import io.tidemark.time.TriggerKind;
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
    NodeMeters meters,
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
        new NodeMeters(ports.metrics()),
        new Lanes(ports.lanes(), config.workers()),
        readiness,
        kind("deficit_resolver", ports),
        kind("k8s_sync", ports),
        kind("resync", ports),
        clusterSize,
        changed);
  }

  private static TriggerKind kind(String name, NodeManagerPorts ports) {
    return new TriggerKind(
        name, MIN_INTERVAL, ports.scheduler(), ports.metrics().trigger(Prefix.IPAM, name));
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
