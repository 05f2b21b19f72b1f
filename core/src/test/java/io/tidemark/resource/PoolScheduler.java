package io.tidemark.resource;

import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import java.util.concurrent.ExecutorService;

/** Runs every task at once on a pool, so that tasks overtake one another. */
final class PoolScheduler implements TaskScheduler, TimeSource {
  private final ExecutorService pool;

  PoolScheduler(ExecutorService pool) {
    this.pool = pool;
  }

  @Override
  public Cancellable at(long nanos, Runnable task) {
    pool.execute(task);
    return () -> false;
  }

  @Override
  public TimeSource time() {
    return this;
  }

  @Override
  public long nanos() {
    return 0;
  }

  @Override
  public long epochMillis() {
    return 0;
  }
}
