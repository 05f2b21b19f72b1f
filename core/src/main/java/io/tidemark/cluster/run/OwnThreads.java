package io.tidemark.cluster.run;

import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import io.tidemark.time.WorkerPool;
import java.time.Duration;

/**
 * The threads of a system that brings its own (design 3.3): lanes as many as processors, requests
 * to the cloud and to the store in pools of their own, one timer. Ten thousand nodes cost no thread
 * more. Thread-safe.
 */
public final class OwnThreads implements AutoCloseable {
  /** One turn per running lane is queued at most. */
  private static final int LANE_QUEUE = 1_024;

  /** Room for one request of each node of a very large cluster. */
  private static final int REQUEST_QUEUE = 100_000;

  /** Requests to the store on the wire at a time. */
  private static final int STORE_REQUESTS = 32;

  private final ThreadTaskScheduler timer =
      ThreadTaskScheduler.start("timer", SystemTime.instance());
  private final int processors = Runtime.getRuntime().availableProcessors();
  private final WorkerPool lanes = new WorkerPool("lane", processors, LANE_QUEUE);
  private final PooledEffectRunner cloud;
  private final PooledEffectRunner store =
      new PooledEffectRunner("store", STORE_REQUESTS, REQUEST_QUEUE, timer);

  private OwnThreads(int cloudRequests) {
    this.cloud = new PooledEffectRunner("cloud", cloudRequests, REQUEST_QUEUE, timer);
  }

  /** Starts the timer; the others start when they are needed. */
  public static OwnThreads start(int cloudRequests) {
    return new OwnThreads(cloudRequests);
  }

  /** Them, for a system. */
  public RunThreads ports() {
    return new RunThreads(timer, lanes, processors, cloud, store);
  }

  /** Accepts no more work and interrupts what runs. Idempotent. */
  @Override
  public void close() {
    cloud.close();
    store.close();
    lanes.close();
    timer.close();
  }

  /** Blocks until all threads have ended; false when {@code limit} passed before. */
  public boolean awaitClosed(Duration limit) throws InterruptedException {
    long deadline = timer.time().nanos() + limit.toNanos();
    boolean all = cloud.awaitClosed(left(deadline));
    all &= store.awaitClosed(left(deadline));
    all &= lanes.awaitClosed(left(deadline));
    return timer.awaitClosed(left(deadline)) && all;
  }

  private Duration left(long deadline) {
    return Duration.ofNanos(Math.max(1_000_000, deadline - timer.time().nanos()));
  }
}
