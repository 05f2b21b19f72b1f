package io.tidemark.it.nodecidr;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.it.agent.JmhRows;
import io.tidemark.it.benchmark.BlockSpaceBenchmark;
import io.tidemark.it.benchmark.BlockTailBenchmark;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.NodePodCidrs;
import io.tidemark.nodecidr.ledger.PodCidrsOutcome;
import io.tidemark.nodecidr.ledger.ReserveOutcome;
import io.tidemark.testing.FigureTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.util.Statistics;

/**
 * The costs of blocks of node CIDRs and of the ledger of 10,000 nodes, as a printed table. Run by
 * {@code .ci/benchmarks node-cidr}.
 */
public final class NodeCidrFigures {
  private static final int NODES = 10_000;
  private static final int ROUNDS = 30;

  private static final ClusterCidrs DUAL =
      new ClusterCidrs(
          List.of(
              new FamilyRanges(IpFamily.IPV4, 24, List.of(Cidr.parse("10.0.0.0/8"))),
              new FamilyRanges(IpFamily.IPV6, 64, List.of(Cidr.parse("fd00:10::/48")))),
          List.of());

  private final FigureTable table = new FigureTable(System.out);
  private final List<NodeOwner> owners = new ArrayList<>();
  private final List<List<String>> podCidrs = new ArrayList<>();

  private NodeCidrFigures() {
    for (int i = 0; i < NODES; i++) {
      owners.add(new NodeOwner("node-" + i, new UUID(i, ~i).toString()));
      podCidrs.add(
          DUAL.families().stream()
              .map(family -> family.ranges().get(0).subnet(family.blockLength(), owners.size() - 1))
              .map(Cidr::toString)
              .toList());
    }
  }

  /** No arguments. */
  public static void main(String[] arguments) throws RunnerException {
    NodeCidrFigures figures = new NodeCidrFigures();
    figures.blocks();
    figures.claims();
    figures.assignments();
    figures.heap("one CIDR", 1);
    figures.heap("two CIDRs", 2);
  }

  private void blocks() throws RunnerException {
    JmhRows rows = new JmhRows(table);
    for (RunResult each : JmhRows.run(BlockSpaceBenchmark.class)) {
      switch (each.getParams().getBenchmark().replaceFirst(".*\\.", "")) {
        case "fillRange" -> rows.row("P8 a /8 filled by /24", each, "1 ms");
        case "lastFree" -> rows.row("P8 the last free block of it, and back", each, "100 ns each");
        default -> rows.row("2^24 positions taken at once, and back", each, "-");
      }
    }
    for (RunResult each : JmhRows.run(BlockTailBenchmark.class)) {
      Statistics statistics = each.getPrimaryResult().getStatistics();
      table.row(
          "P8 allocate and release of 2^24, taken: " + each.getParams().getParam("taken"),
          String.format(
              Locale.ROOT,
              "p50 %.0f ns, p99 %.0f ns",
              statistics.getPercentile(50),
              statistics.getPercentile(99)),
          "p99 1 µs each");
    }
  }

  /** The work of a new leader before its first allocation. */
  private void claims() {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      CidrLedger ledger = new CidrLedger(DUAL, Duration.ofSeconds(60));
      long start = System.nanoTime();
      claimAll(ledger);
      best = Math.min(best, (System.nanoTime() - start) / 1e6);
    }
    table.row(
        "claims of 10,000 nodes of both families, read from their texts",
        String.format(Locale.ROOT, "%.1f ms", best),
        "100 ms");
  }

  private void claimAll(CidrLedger ledger) {
    for (int i = 0; i < NODES; i++) {
      NodePodCidrs read = NodePodCidrs.read(DUAL, "", podCidrs.get(i));
      if (!read.findings().isEmpty() || !ledger.claim(owners.get(i), read.cidrs()).isEmpty()) {
        throw new IllegalStateException("a finding about " + owners.get(i));
      }
    }
  }

  private void assignments() {
    PodCidrsOutcome accepted = PodCidrsOutcome.ACCEPTED;
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      CidrLedger ledger = new CidrLedger(DUAL, Duration.ofSeconds(60));
      long start = System.nanoTime();
      for (NodeOwner owner : owners) {
        if (!(ledger.reserve(owner, 0) instanceof ReserveOutcome.Reserved reserved)
            || ledger.settle(reserved.reservation(), accepted, 0).reservation().isOpen()) {
          throw new IllegalStateException("no CIDRs for " + owner);
        }
      }
      best = Math.min(best, (System.nanoTime() - start) / 1e6);
    }
    table.row(
        "10,000 nodes reserved and settled, both families",
        String.format(Locale.ROOT, "%.1f ms", best),
        "-");
  }

  /** Without the names and uids, which the watch holds. */
  private void heap(String what, int cidrs) {
    long before = usedBytes();
    CidrLedger ledger = new CidrLedger(DUAL, Duration.ofSeconds(60));
    long empty = usedBytes();
    for (int i = 0; i < NODES; i++) {
      List<String> texts = podCidrs.get(i).subList(0, cidrs);
      if (!ledger.claim(owners.get(i), NodePodCidrs.read(DUAL, "", texts).cidrs()).isEmpty()) {
        throw new IllegalStateException("a finding about " + owners.get(i));
      }
    }
    long after = usedBytes();
    table.row(
        "heap per node of the ledger, " + what + ", without name and uid",
        String.format(
            Locale.ROOT,
            "%.0f bytes, and %d kB for the ranges",
            (double) (after - empty) / NODES,
            (empty - before) / 1024),
        "-");
    if (ledger.usage().isEmpty()) {
      throw new IllegalStateException("the ledger is gone");
    }
  }

  private static long usedBytes() {
    for (int i = 0; i < 5; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
