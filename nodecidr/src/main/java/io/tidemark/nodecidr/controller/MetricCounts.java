package io.tidemark.nodecidr.controller;

import io.tidemark.metrics.NodeCidrMetrics.NodeCidrCounts;
import io.tidemark.metrics.NodeCidrMetrics.RangeCounts;
import io.tidemark.nodecidr.controller.NodeReport.State;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.RangeChanges;
import io.tidemark.nodecidr.ledger.RangeRound;
import io.tidemark.nodecidr.ledger.RangeUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The numbers of nodes and ranges for a scrape. Stateless. */
final class MetricCounts {
  private MetricCounts() {}

  static NodeCidrCounts of(ControllerState state) {
    Map<String, Integer> nodes = new HashMap<>();
    for (State each : State.values()) {
      nodes.put(each.label(), 0);
    }
    long now = state.parts().now();
    long[] oldest = {0};
    state
        .all()
        .forEach(
            work ->
                work.report()
                    .ifPresent(
                        report -> {
                          nodes.merge(report.state().label(), 1, Integer::sum);
                          if (report.lacksCidrs()) {
                            oldest[0] = Math.max(oldest[0], now - report.seenNanos());
                          }
                        }));
    return new NodeCidrCounts(
        ranges(state.ledger(), now),
        nodes,
        Duration.ofNanos(oldest[0]),
        nodes.getOrDefault(State.CONFLICT.label(), 0));
  }

  private static List<RangeCounts> ranges(CidrLedger ledger, long now) {
    List<RangeUsage> usage = ledger.usage();
    List<RangeChanges> changes = ledger.changes();
    List<RangeRound> rounds = ledger.rounds().now(now);
    List<RangeCounts> ranges = new ArrayList<>();
    for (int i = 0; i < usage.size(); i++) {
      RangeUsage range = usage.get(i);
      RangeRound round = rounds.get(i);
      Map<String, Long> blocks =
          Map.of(
              "claimed", range.claimed(),
              "reserved", range.reserved(),
              "cooling", range.cooling(),
              "excluded", range.excluded(),
              "withheld", round.withheld(),
              "free", range.free() - round.withheld());
      ranges.add(
          new RangeCounts(
              range.range().toString(),
              range.range().family().toString().toLowerCase(Locale.ROOT),
              blocks,
              range.blocks(),
              round.frontier() < round.blocks() ? round.frontier() : -1,
              changes.get(i).allocations(),
              changes.get(i).releases()));
    }
    return ranges;
  }
}
