package io.tidemark.it.benchmark;

import io.tidemark.demand.DemandSettings;
import io.tidemark.demand.GroupDemand;
import io.tidemark.demand.NodeDemand;
import io.tidemark.simulation.demand.DemandTrial;
import io.tidemark.simulation.demand.TrialFigures;
import io.tidemark.simulation.demand.Workload;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/**
 * Watermarks that follow demand against the best static number, over the same pods of a day on 500
 * nodes, as a printed table: median and worst of the seeds. Run by {@code .ci/benchmarks demand}.
 */
public final class DemandRun {
  private static final int SEEDS = 10;
  private static final int HEAP_NODES = 1_000_000;

  /** Values of max-above-watermark, which both sides have. */
  private static final int[] ABOVE = {0, 4, 8, 16};

  private DemandRun() {}

  /** The number of seeds, 10 when absent. */
  public static void main(String[] arguments) throws InterruptedException {
    int seeds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : SEEDS;
    PrintStream out = System.out;
    out.printf(Locale.ROOT, "heap per node: %d bytes%n%n", heapBytesPerNode());
    out.printf(Locale.ROOT, "seeds 1 to %d, 500 nodes, 24 h; median (worst)%n%n", seeds);
    out.printf(
        Locale.ROOT,
        "%-14s %10s %18s %20s %18s %20s %16s%n",
        "workload",
        "pods",
        "waited %",
        "idle addresses",
        "static number",
        "idle, % of static",
        "requests, x");
    for (Workload workload : Workload.bundled()) {
      for (int above : ABOVE) {
        List<DemandTrial> trials =
            LongStream.rangeClosed(1, seeds)
                .mapToObj(seed -> DemandTrial.of(workload, DemandSettings.DEFAULT, above, seed))
                .toList();
        String label = workload.name() + " +" + above;
        print(out, label, trials, DemandTrial::demand, DemandTrial::equal);
        print(out, "", trials, each -> each.bearable().figures(), DemandTrial::bearable);
      }
    }
  }

  private static long heapBytesPerNode() throws InterruptedException {
    GroupDemand group = new GroupDemand(0);
    NodeDemand[] nodes = new NodeDemand[HEAP_NODES];
    long before = ScaleEngine.usedHeapBytes();
    Arrays.setAll(nodes, any -> NodeDemandBenchmark.node(group));
    long bytes = ScaleEngine.usedHeapBytes() - before;
    nodes[0].observe(0, 0); // they are in use until here
    return bytes / HEAP_NODES;
  }

  private static void print(
      PrintStream out,
      String label,
      List<DemandTrial> trials,
      Function<DemandTrial, TrialFigures> shown,
      Function<DemandTrial, DemandTrial.Static> other) {
    ToDoubleFunction<DemandTrial> idle =
        each -> each.demand().idle() / other.apply(each).figures().idle();
    ToDoubleFunction<DemandTrial> requests =
        each -> each.demand().requestsPerPod() / other.apply(each).figures().requestsPerPod();
    out.printf(
        Locale.ROOT,
        "%-14s %10.0f %18s %20s %18s %20s %16s%n",
        label,
        median(trials, each -> each.demand().pods()),
        both(trials, "%.3f", each -> shown.apply(each).waitedShare() * 100),
        both(trials, "%.0f", each -> shown.apply(each).idle()),
        both(trials, "%.0f", each -> other.apply(each).preAllocate()),
        both(trials, "%.1f", each -> 100 * idle.applyAsDouble(each)),
        both(trials, "%.2f", requests));
  }

  private static String both(
      List<DemandTrial> trials, String format, ToDoubleFunction<DemandTrial> figure) {
    return String.format(
        Locale.ROOT,
        format + " (" + format + ")",
        median(trials, figure),
        trials.stream().mapToDouble(figure).max().orElseThrow());
  }

  private static double median(List<DemandTrial> trials, ToDoubleFunction<DemandTrial> figure) {
    return trials.stream().mapToDouble(figure).sorted().toArray()[(trials.size() - 1) / 2];
  }
}
