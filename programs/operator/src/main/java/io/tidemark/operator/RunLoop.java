package io.tidemark.operator;

import io.tidemark.cluster.run.SystemRun;
import io.tidemark.operator.report.LiveTable;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.view.SystemView;
import io.tidemark.program.console.Console;
import io.tidemark.program.console.ScreenSize;
import io.tidemark.time.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Watches a system until there is a reason to end: shows how nodes stand, on a terminal as a live
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

  private final SystemView view;
  private final SystemRun<?, ?> system;
  private final Console console;
  private final boolean once;
  private final CompletableFuture<End> end = new CompletableFuture<>();
  private final Runnable showing;
  private ScreenSize screen = ScreenSize.USUAL;
  private int settled;
  private int shown;

  enum End {
    SETTLED,
    TIMEOUT,
    STOPPED,
    /** Another operator leads. */
    LOST
  }

  /** A loop that ends, if {@code once}, when everything is settled. */
  RunLoop(SystemView view, Console console, boolean once) {
    this.view = view;
    this.system = view.system();
    this.console = console;
    this.once = once;
    this.showing = console.isTerminal() ? this::table : new ChangeLog(view)::write;
  }

  /** Watches the system; blocks the main thread until the end. */
  End run(Optional<Duration> timeout, StopSignal stop)
      throws InterruptedException, ExecutionException {
    timeout.ifPresent(limit -> system.timer().after(limit, () -> end.complete(End.TIMEOUT)));
    stop.requested().thenRun(() -> end.complete(End.STOPPED));
    system.lost().thenRun(() -> end.complete(End.LOST));
    system
        .start()
        .whenComplete(
            (worked, thrown) -> {
              if (thrown != null) {
                end.completeExceptionally(thrown);
              } else if (!console.isTerminal()) {
                // Not earlier: until the first scan all nodes wait for it, and none is logged.
                system.timer().after(Duration.ZERO, this::show);
              }
            });
    if (once) {
      look();
    }
    if (console.isTerminal()) {
      show();
    }
    return end.get();
  }

  private void look() {
    settled = system.isSettled() ? settled + 1 : 0;
    if (settled >= SETTLED_LOOKS) {
      end.complete(End.SETTLED);
    }
    if (!end.isDone()) {
      system.timer().after(LOOK, this::look);
    }
  }

  private void show() {
    if (end.isDone()) {
      return;
    }
    showing.run();
    system.timer().after(SHOW, this::show);
  }

  private void table() {
    screen = shown % MEASURING == 0 ? ScreenSize.ofTerminal() : screen;
    shown++;
    List<NodeRow> nodes = view.nodes();
    List<String> unready = nodes.isEmpty() ? system.unready() : List.of();
    console.live(
        unready.isEmpty()
            ? LiveTable.lines(
                nodes, view.lacking(), view.counts().allCalls(), system.problems().size(), screen)
            : LiveTable.starting(unready, screen));
  }
}
