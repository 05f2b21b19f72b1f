package io.tidemark.cluster.run;

import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.metrics.Meters;
import io.tidemark.resilience.Fence;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The parts of a controller that works on Kubernetes Nodes. The program that embeds it brings the
 * threads.
 *
 * @param nodes the nodes; the controller is their one watcher
 * @param events reports problems on the nodes
 * @param effects runs the requests, one blocking leaf each
 * @param executor runs the lanes of the nodes
 * @param scheduler runs what comes later, and has the clock
 * @param fence asked immediately before each write
 * @param random spreads the pauses between repetitions; thread-safe
 */
public record ControllerParts(
    ClusterNodeStore nodes,
    ObjectEvents events,
    Meters metrics,
    EffectRunner effects,
    Executor executor,
    TaskScheduler scheduler,
    Fence fence,
    RandomGenerator random) {
  /** The present reading of the clock, as {@link io.tidemark.time.TimeSource#nanos()} has it. */
  public long now() {
    return scheduler.time().nanos();
  }
}
