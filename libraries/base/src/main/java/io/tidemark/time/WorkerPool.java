package io.tidemark.time;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A fixed number of threads for work that does not block, such as the lanes of nodes. Thread-safe.
 *
 * <p>A task that throws is logged and costs no thread. Tasks handed to a closed pool are dropped,
 * as queued ones are.
 */
public final class WorkerPool implements Executor, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(WorkerPool.class.getName());

  private final String name;
  private final ThreadPoolExecutor pool;

  /**
   * Threads are started when they are first needed.
   *
   * @param threads 1 or more
   * @param queueCapacity tasks that may wait, 1 or more; a further one is refused
   */
  public WorkerPool(String name, int threads, int queueCapacity) {
    this.name = name;
    this.pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            0,
            TimeUnit.NANOSECONDS,
            new LinkedBlockingQueue<>(queueCapacity),
            NamedThreads.of(name));
  }

  /**
   * Runs {@code task} on one of the threads.
   *
   * @throws RejectedExecutionException when the queue is full or the pool is closed
   */
  @Override
  public void execute(Runnable task) {
    pool.execute(
        () -> {
          try {
            task.run();
          } catch (Throwable thrown) {
            if (thrown instanceof RejectedExecutionException && pool.isShutdown()) {
              LOG.log(
                  Level.DEBUG,
                  "What a task of {0} left to do is dropped: the pool is closed",
                  name);
            } else {
              LOG.log(Level.ERROR, () -> "A task of " + name + " failed", thrown);
            }
          }
        });
  }

  /** Accepts no more, drops what waits, interrupts what runs; does not wait. Idempotent. */
  @Override
  public void close() {
    pool.shutdownNow();
  }

  /**
   * Blocks the caller until all threads have ended after {@link #close}; for the program's main
   * thread.
   *
   * @return false when {@code limit} passed before
   */
  public boolean awaitClosed(Duration limit) throws InterruptedException {
    return pool.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS);
  }
}
