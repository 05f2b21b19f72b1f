package io.tidemark.it.agent;

import io.tidemark.it.benchmark.AddressBitmapBenchmark;
import io.tidemark.it.benchmark.ContentionRun;
import io.tidemark.it.benchmark.CrdNodeBenchmark;
import io.tidemark.it.benchmark.IpamBenchmark;
import io.tidemark.it.benchmark.MultiPoolBenchmark;
import io.tidemark.it.benchmark.OwnerBenchmark;
import io.tidemark.testing.FigureTable;
import java.io.IOException;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/**
 * The costs of the agent of a node, as a printed table: its allocators by JMH, and the program as a
 * process. Of JMH's iterations the best counts, because other programs only ever slow it down; CPU
 * times are means. Run by {@code .ci/benchmarks agent}.
 */
public final class AgentFigures {
  private final FigureTable table = new FigureTable(System.out);
  private final JmhRows rows = new JmhRows(table);

  private AgentFigures() {}

  /** No arguments. */
  public static void main(String[] arguments)
      throws RunnerException, IOException, InterruptedException {
    AgentFigures figures = new AgentFigures();
    figures.bitmap();
    figures.ipam();
    figures.contention();
    figures.pools();
    new ProgramFigures(figures.table).print();
  }

  private void bitmap() throws RunnerException {
    for (RunResult each : JmhRows.run(AddressBitmapBenchmark.class)) {
      table.row(
          "P1 bitmap of a /16, take and free, " + each.getParams().getParam("percent") + " % taken",
          "%.1f ns, CPU %.1f ns"
              .formatted(1e3 / JmhRows.best(each), JmhRows.second(each, CpuProfiler.NANOS)),
          "60 ns, flat");
    }
  }

  private void ipam() throws RunnerException {
    for (RunResult each : JmhRows.run(IpamBenchmark.class)) {
      rows.pair("P2 /20 with owners and metrics, 99 % in use", each, "250 ns, 100 bytes");
    }
  }

  private void contention() throws InterruptedException {
    for (int pools : List.of(1, 16)) {
      for (int threads : List.of(8, 16)) {
        for (int cooldown : List.of(0, 130)) {
          ContentionRun.Result result = ContentionRun.measure(threads, pools, cooldown);
          table.row(
              "P9 the same, threads on pools: %d on %d%s"
                  .formatted(threads, pools, cooldown > 0 ? ", cooldown " + cooldown + " s" : ""),
              "%.1f million/s, %.2f of one thread (%.2f to %.2f)"
                  .formatted(
                      result.all(),
                      result.ratio(),
                      result.ratios().get(0),
                      result.ratios().get(result.ratios().size() - 1)),
              "5 million/s, 1.00 of one thread");
        }
      }
    }
  }

  private void pools() throws RunnerException {
    for (RunResult each : JmhRows.run(CrdNodeBenchmark.class)) {
      String size = each.getParams().getParam("addresses") + " addresses";
      if (each.getParams().getBenchmark().endsWith("event")) {
        table.row(
            "P3 a version with the pool of another size, " + size,
            "%.0f µs, CPU %.0f µs"
                .formatted(1 / JmhRows.best(each), JmhRows.second(each, CpuProfiler.NANOS) / 1e3),
            "200 µs of 4,096");
      } else {
        rows.pair("P3 pool of EC2 interfaces, 99.9 % in use, " + size, each, "300 ns");
      }
    }
    for (RunResult each : JmhRows.run(OwnerBenchmark.class)) {
      boolean release = each.getParams().getBenchmark().endsWith("releaseByOwner");
      table.row(
          release
              ? "P4 pool of 65,536, allocate, and release by owner"
              : "P4 pool of 65,536 reserved addresses, allocate an owner's and release it",
          "%.0f ns, CPU %.0f ns"
              .formatted(1e3 / JmhRows.best(each), JmhRows.second(each, CpuProfiler.NANOS)),
          "200 ns for the search");
    }
    for (RunResult each : JmhRows.run(MultiPoolBenchmark.class)) {
      rows.pair("P7 pool of 4,096 blocks of 16, 90 % in use", each, "500 ns");
    }
  }
}
