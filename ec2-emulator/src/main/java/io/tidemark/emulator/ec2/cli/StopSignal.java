package io.tidemark.emulator.ec2.cli;

import java.util.concurrent.CountDownLatch;

/** Asks the program to end; for signals and tests. Thread-safe. */
final class StopSignal {
  private final CountDownLatch requested = new CountDownLatch(1);

  /** Asks; the second and further calls do nothing. */
  void request() {
    requested.countDown();
  }

  /** Blocks the caller, the program's main thread, until somebody asks. */
  void await() throws InterruptedException {
    requested.await();
  }
}
