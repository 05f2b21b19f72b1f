package io.tidemark.cluster.run;

import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.util.concurrent.Executor;

/**
 * Where a system works, for a program that brings its own threads. The system uses them and never
 * closes them.
 *
 * @param timer later tasks and both clocks
 * @param lanes runs the decisions about nodes; never on the caller's stack
 * @param parallelLanes decisions at a time, 1 or more
 * @param cloud runs blocking requests to the cloud; {@code parallel-alloc-workers} at a time
 * @param store runs blocking requests to the store, so that writes never queue behind the cloud
 */
public record RunThreads(
    TaskScheduler timer,
    Executor lanes,
    int parallelLanes,
    EffectRunner cloud,
    EffectRunner store) {
  public RunThreads {
    if (parallelLanes < 1) {
      throw new IllegalArgumentException("parallelLanes is " + parallelLanes + "; expected 1+");
    }
  }
}
