package io.tidemark.simulation;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.simulation.RestCheck.Unrest;
import io.tidemark.simulation.scenario.NodeGroup;
import io.tidemark.simulation.scenario.Scenario;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parts that take too long to converge once the faults are over: an interface that is not
 * collected (I7), a node that lacks addresses (I9).
 */
final class ConvergenceCheck {
  /** Allowed beyond the time that the cloud's buckets take at best. */
  private static final double OVER_BEST = 1.25;

  /** Refill of the scarcest bucket, per second. */
  private static final double REFILL = 5;

  private final Violations violations;
  private final Duration collected;
  private final Duration converged;
  private final Map<String, Long> sinceNanos = new HashMap<>();

  ConvergenceCheck(Cluster cluster, Violations violations) {
    this.violations = violations;
    Scenario scenario = cluster.scenario();
    Duration scan = scan(cluster);
    this.collected = cluster.cloud().collectedAfter(scan).plus(leftOver(cluster));
    this.converged = best(cluster).plus(slack(scenario, scan, cluster.cloud().passTimeout()));
  }

  /** One period of the background scan in a cluster of this size. */
  static Duration scan(Cluster cluster) {
    double size = Math.log(1 + Math.max(1, cluster.fleet().nodes().size()));
    long usual = cluster.scenario().operator().backgroundInterval().toMillis();
    return Duration.ofMillis((long) (usual * size));
  }

  /** Four deletions a second, and what a failed one takes to be made again. */
  private static Duration leftOver(Cluster cluster) {
    return Duration.ofSeconds(60 + cluster.invariants().unattached().size() / 4);
  }

  /** T_opt: every missing address by a request of its own, the bucket empty at first. */
  private static Duration best(Cluster cluster) {
    long requests = 0;
    for (SimulatedNode node : cluster.fleet().nodes()) {
      int available = Invariants.available(cluster.cloud(), node);
      requests += node.waiting();
      requests += node.object().map(object -> node.marks(object).needed(available)).orElse(0);
    }
    double share = cluster.scenario().cloud().buckets();
    double seconds = share == 0 ? 0 : OVER_BEST * requests / (REFILL * share);
    return Duration.ofMillis((long) (seconds * 1e3));
  }

  /** L: the longest back-off, a pass that just began, two scans, three words with the agent. */
  private static Duration slack(Scenario scenario, Duration scan, Optional<Duration> pass) {
    EngineConfig usual = EngineConfig.defaults();
    Duration agent = Duration.ZERO;
    for (NodeGroup group : scenario.nodeGroups()) {
      Duration rate = group.agent().updateRate();
      agent = rate.compareTo(agent) > 0 ? rate : agent;
    }
    return usual
        .backoff()
        .cap()
        .plus(pass.orElse(usual.maintenance().passTimeout()))
        .plus(scan.multipliedBy(2))
        .plus(agent.multipliedBy(3))
        .plus(scenario.stalestRead());
  }

  /** Checks everything that is not at rest now. */
  void look(List<Unrest> unrest, long nowNanos) {
    Map<String, Long> before = new HashMap<>(sinceNanos);
    sinceNanos.clear();
    for (Unrest each : unrest) {
      boolean litter = each.invariant().equals("I7");
      if (litter || each.invariant().equals("I9")) {
        String what = each.invariant() + each.node() + (litter ? each.detail() : "");
        long since = before.getOrDefault(what, nowNanos);
        sinceNanos.put(what, since);
        Duration late = Duration.ofNanos(nowNanos - since);
        Duration bound = litter ? collected : converged;
        if (late.compareTo(bound) > 0) {
          violations.add(
              each.invariant(),
              each.node(),
              each.detail() + " for more than " + bound.toSeconds() + " s without a fault");
        }
      }
    }
  }
}
