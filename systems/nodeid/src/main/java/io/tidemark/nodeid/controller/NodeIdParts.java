package io.tidemark.nodeid.controller;

import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.metrics.Meters;
import io.tidemark.resilience.Fence;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The parts of a controller. The program that embeds it brings the threads.
 *
 * @param nodes the nodes; the controller is the one watcher
 * @param claims the claims; the controller is the one watcher
 * @param events reports problems on the nodes
 * @param effects runs the requests, one blocking leaf each
 * @param executor runs the lanes of the nodes
 * @param scheduler runs what comes later, and has the clock
 * @param fence asked immediately before each write
 * @param random spreads the pauses between repetitions; thread-safe
 */
public record NodeIdParts(
    ClusterNodeStore nodes,
    ClaimStore claims,
    ObjectEvents events,
    Meters metrics,
    EffectRunner effects,
    Executor executor,
    TaskScheduler scheduler,
    Fence fence,
    RandomGenerator random) {
  public NodeIdParts {
    Objects.requireNonNull(nodes, "nodes");
    Objects.requireNonNull(claims, "claims");
    Objects.requireNonNull(events, "events");
    Objects.requireNonNull(metrics, "metrics");
    Objects.requireNonNull(effects, "effects");
    Objects.requireNonNull(executor, "executor");
    Objects.requireNonNull(scheduler, "scheduler");
    Objects.requireNonNull(fence, "fence");
    Objects.requireNonNull(random, "random");
  }

  long now() {
    return scheduler.time().nanos();
  }
}
