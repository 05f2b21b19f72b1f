package io.tidemark.operator;

import io.tidemark.engine.Tidemark;
import io.tidemark.operator.report.LiveTable;
import io.tidemark.program.console.Console;
import io.tidemark.program.console.ScreenSize;
import io.tidemark.time.StopSignal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Watches an engine until there is a reason to end: shows how nodes stand, on a terminal as a live
 * table, otherwise as a {@link ChangeLog}. Looks on the timer's thread and never waits there.
 */
final class RunLoop {
  /** Between two looks whether all is settled. */
  private static final Duration LOOK = Duration.ofMillis(20);

  /** So often in a row must everything be settled: an own write may still be on its way back. */
  private static final int SETTLED_LOOKS = 4;

  /** From one showing to the next. */
  private static final Duration SHOW = Duration.ofMillis(500);

  /** Showings after which the terminal is asked for its size again. */
  private static final int MEASURING = 10;

  private final Tidemark engine;
  private final Console console;
  private final boolean once;
  private final CompletableFuture<End> end = new CompletableFuture<>();
  private final Runnable showing;
  private ScreenSize screen = ScreenSize.USUAL;
  private int settled;
  private int shown;

  /** Why a run ended. */
  enum End {
    SETTLED,
    TIMEOUT,
    STOPPED,
    /** Another operator leads. */
    LOST
  }

  /** A loop that ends, if {@code once}, when everything is settled. */
  RunLoop(Tidemark engine, Console console, boolean once) {
    this.engine = engine;
    this.console = console;
    this.once = once;
    this.showing = console.isTerminal() ? this::table : new ChangeLog(engine)::write;
  }

  /** Watches the engine; blocks the main thread until the end. */
  End run(Optional<Duration> timeout, StopSignal stop)
      throws InterruptedException, ExecutionException {
    timeout.ifPresent(limit -> engine.timer().after(limit, () -> end.complete(End.TIMEOUT)));
    Object unusedStop = stop.requested().thenRun(() -> end.complete(End.STOPPED));
    Object unusedLost = engine.lost().thenRun(() -> end.complete(End.LOST));
    Object unusedStart =
        engine
            .start()
            .whenComplete(
                (worked, thrown) -> {
                  if (thrown != null) {
                    end.completeExceptionally(thrown);
                  }
                });
    if (once) {
      look();
    }
    show();
    return end.get();
  }

  private void look() {
    settled = engine.isSettled() ? settled + 1 : 0;
    if (settled >= SETTLED_LOOKS) {
      end.complete(End.SETTLED);
    }
    if (!end.isDone()) {
      engine.timer().after(LOOK, this::look);
    }
  }

  private void show() {
    if (end.isDone()) {
      return;
    }
    showing.run();
    engine.timer().after(SHOW, this::show);
  }

  private void table() {
    screen = shown % MEASURING == 0 ? ScreenSize.ofTerminal() : screen;
    shown++;
    console.live(
        LiveTable.lines(
            engine.reports(), engine.counts().allCalls(), engine.problems().size(), screen));
  }
}
