package io.tidemark.operator;

import io.tidemark.program.console.Console;
import io.tidemark.simulation.Progress;
import io.tidemark.simulation.scenario.Scenario;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * How far a simulation is, on the standard error: a bar for a person, otherwise a line for every
 * fifth of the way.
 */
abstract class SimulationProgress implements Progress, AutoCloseable {
  private static final int LINES = 5;

  private SimulationProgress() {}

  static SimulationProgress on(Console console, Scenario scenario) {
    return console.isTerminal() ? new Bar(console, scenario) : new Lines(console);
  }

  @Override
  public abstract void close();

  private static final class Bar extends SimulationProgress {
    private final ProgressBar bar;

    Bar(Console console, Scenario scenario) {
      bar =
          new ProgressBarBuilder()
              .setTaskName("simulating")
              .setInitialMax(scenario.duration().toSeconds())
              .setUnit(" s", 1)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(100)
              .setConsumer(new ConsoleProgressBarConsumer(console.errStream()))
              .build();
    }

    @Override
    public void at(Duration elapsed, Duration planned, int nodes, int full) {
      bar.maxHint(Math.max(planned.toSeconds(), elapsed.toSeconds()));
      bar.stepTo(elapsed.toSeconds());
      bar.setExtraMessage(full + " of " + nodes + " nodes full");
    }

    @Override
    public void close() {
      bar.close();
    }
  }

  private static final class Lines extends SimulationProgress {
    private final Console console;
    private long told;

    Lines(Console console) {
      this.console = console;
    }

    @Override
    public void at(Duration elapsed, Duration planned, int nodes, int full) {
      long way = LINES * elapsed.toNanos() / Math.max(1, planned.toNanos());
      if (way > told && way <= LINES) {
        told = way;
        console.note(
            "simulated "
                + elapsed.toSeconds()
                + " of "
                + planned.toSeconds()
                + " s, "
                + full
                + " of "
                + nodes
                + " nodes full");
      }
    }

    @Override
    public void close() {
      // lines need no end
    }
  }
}
