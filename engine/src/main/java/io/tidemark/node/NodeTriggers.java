package io.tidemark.node;

import io.tidemark.metrics.TriggerMetrics;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TriggerKind;
import io.tidemark.time.TriggerObserver;
import java.time.Duration;

/**
 * What the triggers of all nodes share (node-manager 3.1).
 *
 * @param poolMaintainer passes
 * @param k8sSync writes of the resource
 * @param instanceSync reads of the instance
 */
record NodeTriggers(TriggerKind poolMaintainer, TriggerKind k8sSync, TriggerKind instanceSync) {
  private static final Duration MIN_INTERVAL = Duration.ofMillis(10);

  static NodeTriggers of(NodeManagerPorts ports) {
    TaskScheduler scheduler = ports.scheduler();
    return new NodeTriggers(
        kind("deficit_resolver", scheduler, ports.metrics().poolMaintainer()),
        kind("k8s_sync", scheduler, ports.metrics().k8sSync()),
        kind("resync", scheduler, ports.metrics().resync()));
  }

  private static TriggerKind kind(String name, TaskScheduler scheduler, TriggerMetrics metrics) {
    return new TriggerKind(name, MIN_INTERVAL, scheduler, observer(metrics));
  }

  private static TriggerObserver observer(TriggerMetrics metrics) {
    return new TriggerObserver() {
      @Override
      public void queued() {
        metrics.queued();
      }

      @Override
      public void ran(Duration duration, Duration latency, int folds) {
        metrics.ran(duration, latency, folds);
      }
    };
  }
}
