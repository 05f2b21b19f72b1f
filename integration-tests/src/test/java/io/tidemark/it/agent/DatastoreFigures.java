package io.tidemark.it.agent;

import io.tidemark.it.benchmark.DataStoreBenchmark;
import io.tidemark.it.benchmark.PoolPlanBenchmark;
import io.tidemark.testing.FigureTable;
import java.io.IOException;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/**
 * The costs of the store of a node's interfaces and addresses, as a printed table: in memory by
 * JMH, and with its file. Run by {@code .ci/benchmarks datastore}.
 */
public final class DatastoreFigures {
  private DatastoreFigures() {}

  /** No arguments. */
  public static void main(String[] arguments)
      throws RunnerException, IOException, InterruptedException {
    FigureTable table = new FigureTable(System.out);
    JmhRows rows = new JmhRows(table);
    for (RunResult each : JmhRows.run(DataStoreBenchmark.class)) {
      String shape = each.getParams().getParam("shape");
      rows.pair("P5 store of " + shape + ", 95 % assigned, assign and release", each, "1 µs, flat");
    }
    for (RunResult each : JmhRows.run(PoolPlanBenchmark.class)) {
      rows.row("view and plan of 15 interfaces with 50 addresses each", each, "50 µs");
    }
    new DurableFigures(table).print();
    new IpamdFigures(table).print();
  }
}
