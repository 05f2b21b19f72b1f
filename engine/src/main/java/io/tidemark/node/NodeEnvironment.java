package io.tidemark.node;

import io.tidemark.time.Backoff;
import io.tidemark.time.BackoffPolicy;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * What all nodes of one manager share.
 *
 * @param clusterSize number of nodes now; scales back-off
 * @param changed takes the name of a node whose report may be another one now; any thread
 */
record NodeEnvironment(
    NodeManagerConfig config,
    NodeManagerPorts ports,
    Lanes lanes,
    InstancesApiReadiness readiness,
    ClusterTotals totals,
    DeficitAges deficits,
    NodeTriggers triggers,
    BackoffPolicy backoffPolicy,
    IntSupplier clusterSize,
    Consumer<String> changed) {

  /** Monotonic time now. */
  long now() {
    return ports.scheduler().time().nanos();
  }

  /** Pause before attempt {@code failures + 1}, 1 or more failures. */
  long backoffNanos(int failures) {
    return Backoff.pause(backoffPolicy, failures, clusterSize.getAsInt(), ports.random()).toNanos();
  }
}
