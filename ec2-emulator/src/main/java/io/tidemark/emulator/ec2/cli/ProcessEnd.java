package io.tidemark.emulator.ec2.cli;

import io.tidemark.time.NamedThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The end of the process, by itself or by SIGTERM or SIGINT: a signal asks the program to stop,
 * waits for it and takes over its exit code.
 */
final class ProcessEnd {
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final StopSignal stop = new StopSignal();
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();

  private ProcessEnd() {}

  /** From now on a signal goes through here. */
  static ProcessEnd onSignal() {
    ProcessEnd end = new ProcessEnd();
    Runtime.getRuntime().addShutdownHook(NamedThreads.of("stop").newThread(end::signalled));
    return end;
  }

  /** What the program listens to. */
  StopSignal stop() {
    return stop;
  }

  /** Ends the process. */
  void exit(int code) {
    exitCode.complete(code);
    System.exit(code);
  }

  private void signalled() {
    if (exitCode.isDone()) {
      return;
    }
    stop.request();
    try {
      Runtime.getRuntime().halt(exitCode.get(LONGEST.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      Runtime.getRuntime().halt(ExitCode.FAILURE);
    }
  }
}
