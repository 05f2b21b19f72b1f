package io.tidemark.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The end of the process, by itself or by SIGTERM or SIGINT: a signal asks the program to stop,
 * waits for it and takes over its exit code. A program that does not listen, or does not come to an
 * end, is ended. One per process; thread-safe.
 */
public final class ProcessEnd {
  private final Duration longest;
  private final int codeWhenLate;
  private final StopSignal stop = new StopSignal();
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();

  private ProcessEnd(Duration longest, int codeWhenLate) {
    this.longest = longest;
    this.codeWhenLate = codeWhenLate;
  }

  /**
   * Handles signals from now on.
   *
   * @param longest time to stop, unless {@link StopSignal#needs} names another; after it the
   *     process ends with {@code codeWhenLate}
   */
  public static ProcessEnd onSignal(Duration longest, int codeWhenLate) {
    ProcessEnd end = new ProcessEnd(longest, codeWhenLate);
    Runtime.getRuntime().addShutdownHook(NamedThreads.of("stop").newThread(end::signalled));
    return end;
  }

  /** The signal that the program listens to. */
  public StopSignal stop() {
    return stop;
  }

  /** The program has stopped, and its process is about to exit with {@code code}. */
  public void exiting(int code) {
    exitCode.complete(code);
  }

  /** Runs when the process is about to end, whatever the reason. */
  private void signalled() {
    if (exitCode.isDone()) {
      return;
    }
    stop.request();
    long patience = stop.needed().orElse(longest).toNanos();
    try {
      Runtime.getRuntime().halt(exitCode.get(patience, TimeUnit.NANOSECONDS));
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      Runtime.getRuntime().halt(codeWhenLate);
    }
  }
}
