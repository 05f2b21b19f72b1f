package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.nodecidr.controller.CidrNodeReport.State;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.LedgerRounds.RangeRound;
import io.tidemark.nodecidr.ledger.RangeUsage;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

final class ControllerMeters {
  private ControllerMeters() {}

  static void show(ControllerState state, ControllerParts parts) {
    Meters meters = parts.metrics();
    CidrLedger ledger = state.ledger;
    List<RangeUsage> ranges = ledger.usage();
    for (int i = 0; i < ranges.size(); i++) {
      int at = i;
      String range = ranges.get(i).range().toString();
      Supplier<RangeRound> round = () -> ledger.rounds().now(parts.now()).get(at);
      meters.functionCounter(Metric.CIDRSET_ALLOCATIONS, () -> round.get().allocations(), range);
      meters.functionCounter(Metric.CIDRSET_RELEASES, () -> round.get().releases(), range);
    }
    meters.beforeScrape(
        () -> {
          long now = parts.now();
          showNodes(state, now, meters);
          showRanges(ledger, now, meters);
        });
  }

  private static void showNodes(ControllerState state, long now, Meters meters) {
    Map<State, Integer> nodes = new EnumMap<>(State.class);
    long oldest = 0;
    for (CidrNodeReport each : state.reports().toList()) {
      nodes.merge(each.state(), 1, Integer::sum);
      oldest = Math.max(oldest, each.lacksCidrs() ? now - each.seenNanos() : 0);
    }
    for (State each : State.values()) {
      meters.gauge(Metric.NODE_CIDR_NODES, each.label()).set(nodes.getOrDefault(each, 0));
    }
    meters.gauge(Metric.NODE_CIDR_OLDEST).set(Duration.ofNanos(oldest));
    meters.gauge(Metric.NODE_CIDR_CONFLICTS).set(nodes.getOrDefault(State.CONFLICT, 0));
  }

  private static void showRanges(CidrLedger ledger, long now, Meters meters) {
    List<RangeUsage> usage = ledger.usage();
    List<RangeRound> rounds = ledger.rounds().now(now);
    for (int i = 0; i < usage.size(); i++) {
      RangeUsage range = usage.get(i);
      RangeRound round = rounds.get(i);
      String name = range.range().toString();
      String family = range.range().family().toString().toLowerCase(Locale.ROOT);
      long free = range.free() - round.withheld();
      Map.of(
              "claimed", range.claimed(),
              "reserved", range.reserved(),
              "cooling", range.cooling(),
              "excluded", range.excluded(),
              "withheld", round.withheld(),
              "free", free)
          .forEach(
              (state, blocks) ->
                  meters.gauge(Metric.NODE_CIDR_BLOCKS, name, family, state).set(blocks));
      long max = range.blocks();
      meters.gauge(Metric.CIDRSET_USAGE, name).set(max == 0 ? 0 : (double) (max - free) / max);
      meters.gauge(Metric.CIDRSET_MAX, name).set(max);
      meters
          .gauge(Metric.NODE_CIDR_FRONTIER, name)
          .set(round.frontier() < round.blocks() ? round.frontier() : -1);
    }
  }
}
