package io.tidemark.it.agent;

import io.tidemark.it.benchmark.AddressBitmapBenchmark;
import io.tidemark.it.benchmark.IpamBenchmark;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * What the agent of a node costs, as a printed table: its allocators by JMH, and the program as a
 * process. Of JMH's iterations the best counts, because other programs only ever slow it down; CPU
 * times are means. Run by {@code .ci/benchmarks agent}.
 */
public final class AgentFigures {
  private static final String BYTES = "gc.alloc.rate.norm";

  private final FigureTable table = new FigureTable(System.out);

  private AgentFigures() {}

  /** No arguments. */
  public static void main(String[] arguments)
      throws RunnerException, IOException, InterruptedException {
    AgentFigures figures = new AgentFigures();
    figures.bitmap();
    figures.ipam();
    new ProgramFigures(figures.table).print();
  }

  private static Collection<RunResult> run(Class<?> benchmark) throws RunnerException {
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

  private void bitmap() throws RunnerException {
    for (RunResult each : run(AddressBitmapBenchmark.class)) {
      table.row(
          "P1 bitmap of a /16, take and free, " + each.getParams().getParam("percent") + " % taken",
          "%.1f ns, CPU %.1f ns".formatted(1e3 / best(each), second(each, CpuProfiler.NANOS)),
          "60 ns, flat");
    }
  }

  private void ipam() throws RunnerException {
    Map<String, RunResult> results = new TreeMap<>();
    for (RunResult each : run(IpamBenchmark.class)) {
      results.put(
          each.getParams().getThreads() + " on " + each.getParams().getParam("pools"), each);
    }
    RunResult alone = Objects.requireNonNull(results.get("1 on 1"));
    table.row(
        "P2 /20 with owners and metrics, 99 % in use, allocate and release",
        "%.0f ns, CPU %.0f ns, %.0f bytes"
            .formatted(1e3 / best(alone), second(alone, CpuProfiler.NANOS), second(alone, BYTES)),
        "250 ns, 100 bytes");
    results.remove("1 on 1");
    results.remove("1 on 16");
    results.forEach(
        (threads, each) ->
            table.row(
                "P9 the same, threads on pools: " + threads,
                "%.1f million/s, %.2f of one thread, CPU %.0f ns"
                    .formatted(
                        best(each), best(each) / best(alone), second(each, CpuProfiler.NANOS)),
                "1.00 of one thread"));
  }

  private static double second(RunResult result, String name) {
    return Objects.requireNonNull(
            result.getAggregatedResult().getSecondaryResults().get(name), name)
        .getScore();
  }

  /** Operations per microsecond. */
  private static double best(RunResult result) {
    double best = 0;
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        best = Math.max(best, iteration.getPrimaryResult().getScore());
      }
    }
    return best;
  }
}
