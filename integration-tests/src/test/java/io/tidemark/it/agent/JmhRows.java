package io.tidemark.it.agent;

import io.tidemark.testing.FigureTable;
import java.util.Collection;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs benchmarks by JMH and prints rows about them. Of the iterations the best counts, because
 * other programs only ever slow it down; CPU times are means.
 */
public final class JmhRows {
  private static final String BYTES = "gc.alloc.rate.norm";

  private final FigureTable table;

  /** Rows of a table. */
  public JmhRows(FigureTable table) {
    this.table = table;
  }

  /** All combinations of its parameters. */
  public static Collection<RunResult> run(Class<?> benchmark) throws RunnerException {
    return new Runner(
            new OptionsBuilder()
                .include("\\." + benchmark.getSimpleName() + "\\.")
                .addProfiler(GCProfiler.class)
                .addProfiler(CpuProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build())
        .run();
  }

  /** A row about an operation with a cooldown. */
  void pair(String pool, RunResult result, String aim) {
    row(pool + cooldown(result), result, aim);
  }

  /** A row about an operation. */
  public void row(String what, RunResult result, String aim) {
    table.row(
        what,
        "%.0f ns, CPU %.0f ns, %.0f bytes"
            .formatted(
                1e3 / best(result), second(result, CpuProfiler.NANOS), second(result, BYTES)),
        aim);
  }

  static String cooldown(RunResult result) {
    return ", cooldown " + result.getParams().getParam("cooldown") + " s";
  }

  static double second(RunResult result, String name) {
    return Objects.requireNonNull(
            result.getAggregatedResult().getSecondaryResults().get(name), name)
        .getScore();
  }

  /** Operations per microsecond. */
  static double best(RunResult result) {
    double best = 0;
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        best = Math.max(best, iteration.getPrimaryResult().getScore());
      }
    }
    return best;
  }
}
