package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.metrics.Meters;
import io.tidemark.nodecidr.cloud.CloudSource;
import io.tidemark.resilience.Fence;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The parts of a controller. The program that embeds it brings the threads.
 *
 * @param store the nodes; the controller is its one watcher
 * @param events reports problems on the nodes
 * @param effects runs the requests, one blocking leaf each
 * @param executor runs the lanes of the nodes
 * @param scheduler runs what comes later, and has the clock
 * @param fence asked immediately before each write
 * @param random spreads the pauses between repetitions; thread-safe
 * @param cloud where ranges of instances come from or go to; empty where blocks of nodes come from
 *     ranges of the cluster alone
 */
public record NodeCidrParts(
    ClusterNodeStore store,
    ObjectEvents events,
    Meters metrics,
    EffectRunner effects,
    Executor executor,
    TaskScheduler scheduler,
    Fence fence,
    RandomGenerator random,
    Optional<CloudSource> cloud) {
  public NodeCidrParts {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(events, "events");
    Objects.requireNonNull(metrics, "metrics");
    Objects.requireNonNull(effects, "effects");
    Objects.requireNonNull(executor, "executor");
    Objects.requireNonNull(scheduler, "scheduler");
    Objects.requireNonNull(fence, "fence");
    Objects.requireNonNull(random, "random");
    Objects.requireNonNull(cloud, "cloud");
  }

  /** Without a cloud. */
  public NodeCidrParts(
      ClusterNodeStore store,
      ObjectEvents events,
      Meters metrics,
      EffectRunner effects,
      Executor executor,
      TaskScheduler scheduler,
      Fence fence,
      RandomGenerator random) {
    this(store, events, metrics, effects, executor, scheduler, fence, random, Optional.empty());
  }

  /** The same with a cloud. */
  public NodeCidrParts with(CloudSource source) {
    return new NodeCidrParts(
        store, events, metrics, effects, executor, scheduler, fence, random, Optional.of(source));
  }

  long now() {
    return scheduler.time().nanos();
  }
}
