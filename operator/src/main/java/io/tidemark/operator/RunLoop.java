package io.tidemark.operator;

import io.tidemark.node.NodeReport;
import io.tidemark.operator.console.Console;
import io.tidemark.operator.console.ScreenSize;
import io.tidemark.operator.report.LiveTable;
import io.tidemark.operator.wiring.Engine;
import io.tidemark.resilience.CallCounts;
import io.tidemark.time.StopSignal;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts an engine and watches it until there is a reason to end: shows how nodes stand, on a
 * terminal as a live table, otherwise as a log line per change. Looks on the timer's thread and
 * never waits there.
 */
final class RunLoop {
  private static final Logger LOG = LoggerFactory.getLogger(RunLoop.class);

  /** Between two looks. */
  private static final Duration LOOK = Duration.ofMillis(20);

  /** So often in a row must everything be settled: an own write may still be on its way back. */
  private static final int SETTLED_LOOKS = 4;

  /** Looks from one showing to the next. */
  private static final int SHOWING = 25;

  /** Looks after which the terminal is asked for its size again. */
  private static final int MEASURING = 250;

  private final Engine engine;
  private final Console console;
  private final boolean once;
  private final TaskScheduler timer;
  private final CompletableFuture<End> end = new CompletableFuture<>();
  private final Map<String, NodeReport> logged = new HashMap<>();
  private @Nullable CallCounts loggedCalls;
  private ScreenSize screen = ScreenSize.USUAL;
  private int settled;
  private int looks;

  /** Why a run ended. */
  enum End {
    SETTLED,
    TIMEOUT,
    STOPPED,
    /** Another operator leads. */
    LOST
  }

  /** A loop that ends, if {@code once}, when everything is settled. */
  RunLoop(Engine engine, Console console, boolean once) {
    this.engine = engine;
    this.console = console;
    this.once = once;
    this.timer = engine.timer();
  }

  /** Runs the engine; blocks the main thread until the end. */
  End run(Optional<Duration> timeout, StopSignal stop)
      throws InterruptedException, ExecutionException {
    timeout.ifPresent(limit -> timer.after(limit, () -> end.complete(End.TIMEOUT)));
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
    look();
    return end.get();
  }

  private void look() {
    settled = once && engine.isSettled() ? settled + 1 : 0;
    if (settled >= SETTLED_LOOKS) {
      end.complete(End.SETTLED);
    }
    if (end.isDone()) {
      return;
    }
    if (console.isTerminal() && looks % MEASURING == 0) {
      screen = ScreenSize.ofTerminal();
    }
    if (looks % SHOWING == 0) {
      show();
    }
    looks++;
    timer.after(LOOK, this::look);
  }

  private void show() {
    List<NodeReport> nodes = engine.reports();
    if (console.isTerminal()) {
      console.live(
          LiveTable.lines(nodes, engine.counts().allCalls(), engine.problems().size(), screen));
    } else {
      nodes.forEach(this::log);
      logGone(nodes.stream().map(NodeReport::name).collect(Collectors.toSet()));
      CallCounts counts = engine.counts();
      if (!counts.equals(loggedCalls)) {
        loggedCalls = counts;
        LOG.debug("Calls. sent={} throttled={}", counts.calls(), counts.throttled());
      }
    }
  }

  private void logGone(Set<String> names) {
    Set<String> gone = new TreeSet<>(logged.keySet());
    gone.removeAll(names);
    for (String name : gone) {
      logged.remove(name);
      LOG.info("Node gone. node={}", name);
    }
  }

  private void log(NodeReport node) {
    if (node.equals(logged.put(node.name(), node))) {
      return;
    }
    LOG.info(
        "Node. node={} state={} used={} available={} needed={} excess={} interfaces={} reason={}",
        node.name(),
        node.state().text(),
        node.used(),
        node.available(),
        node.needed(),
        node.excess(),
        node.interfaces(),
        node.blocked().map(why -> why.reason().label()).orElse("-"));
  }
}
