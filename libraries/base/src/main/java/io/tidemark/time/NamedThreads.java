package io.tidemark.time;

import java.lang.System.Logger.Level;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes every thread: daemons with a name, whose unexpected end is logged. Thread-safe. */
final class NamedThreads implements ThreadFactory {
  private final String prefix;
  private final AtomicInteger made = new AtomicInteger();

  private NamedThreads(String prefix) {
    this.prefix = prefix;
  }

  /** Threads named {@code prefix-1}, {@code prefix-2} and so on. */
  public static NamedThreads of(String prefix) {
    return new NamedThreads(prefix);
  }

  /** Starts one thread of exactly that name. */
  public static Thread start(String name, Runnable body) {
    Thread thread = daemon(name, body);
    thread.start();
    return thread;
  }

  @Override
  public Thread newThread(Runnable body) {
    return daemon(prefix + "-" + made.incrementAndGet(), body);
  }

  private static Thread daemon(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler(
        (dead, thrown) ->
            // Asked for only now: a program that prints its help needs threads, but no logger.
            System.getLogger(NamedThreads.class.getName())
                .log(Level.ERROR, () -> "Thread " + dead.getName() + " ended by an error", thrown));
    return thread;
  }
}
