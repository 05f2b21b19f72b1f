package io.tidemark.it.agent;

import io.tidemark.it.benchmark.PodAddressPoolBenchmark;
import io.tidemark.it.benchmark.SubnetPlanBenchmark;
import io.tidemark.testing.FigureTable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/**
 * The costs of plans of node ids and of the pool of a node's pod subnet, as a printed table. Run by
 * {@code .ci/benchmarks node-id}.
 */
public final class NodeIdFigures {
  private NodeIdFigures() {}

  /** No arguments. */
  public static void main(String[] arguments) throws RunnerException {
    JmhRows rows = new JmhRows(new FigureTable(System.out));
    for (RunResult each : JmhRows.run(SubnetPlanBenchmark.class)) {
      rows.row("plan of one id, " + each.getParams().getParam("family"), each, "1 µs");
    }
    for (RunResult each : JmhRows.run(PodAddressPoolBenchmark.class)) {
      String subnet = each.getParams().getParam("subnet");
      String percent = each.getParams().getParam("percent");
      // A range of more than 2^24 addresses is kept as runs, for which no aim is stated.
      String aim = subnet.contains(":") ? "-" : "60 ns, flat";
      rows.row("pool of " + subnet + ", " + percent + " % in use, allocate and release", each, aim);
    }
  }
}
