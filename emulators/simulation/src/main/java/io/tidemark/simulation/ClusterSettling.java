package io.tidemark.simulation;

import io.tidemark.simulation.RestCheck.Unrest;
import io.tidemark.simulation.cloud.SimulatedCloud.CloudOperationInfo;
import io.tidemark.simulation.scenario.Scenario.OperatorShape;
import java.time.Duration;
import java.util.Optional;

/**
 * The end of a run: nothing disturbs the cluster any more, it has to come to rest in time, and to
 * stay there.
 */
final class ClusterSettling {
  private static final Duration SLICE = Duration.ofSeconds(5);
  private static final Duration ANSWERS_ON_THE_WIRE = Duration.ofSeconds(30);

  /** Slices between two looks at every node of a small cluster. */
  private static final int LOOK_EVERY = 6;

  /**
   * A larger cluster takes longer in proportion: with a slice more per so many nodes, the number of
   * looks stays the same.
   */
  private static final int NODES_PER_SLICE = 100;

  /** By demand, how long a node keeps addresses whose need it does not know yet. */
  private static final Duration LEARNS = Duration.ofSeconds(2048);

  private final Cluster cluster;
  private final Violations violations;
  private final RestCheck rest;

  ClusterSettling(Cluster cluster, Violations violations) {
    this.cluster = cluster;
    this.violations = violations;
    this.rest = new RestCheck(cluster);
  }

  void run(Runnable progress) {
    long limit = cluster.time().nanos() + cluster.scenario().settle().toNanos();
    ConvergenceCheck convergence = new ConvergenceCheck(cluster, violations);
    convergence.look(rest.all(), cluster.time().nanos());
    int slices = 0;
    Optional<Unrest> unrest = unrest();
    while (unrest.isPresent() && cluster.time().nanos() < limit) {
      pass(SLICE);
      progress.run();
      if (++slices % lookEvery() == 0) {
        convergence.look(rest.all(), cluster.time().nanos());
      }
      unrest = unrest();
    }
    if (unrest.isPresent()) {
      rest.all().forEach(each -> violations.add(each.invariant(), each.node(), each.detail()));
    } else {
      staysAtRest();
    }
    cluster.invariants().checkAllAfresh();
    cluster.invariants().checkObjects();
  }

  private int lookEvery() {
    return Math.max(LOOK_EVERY, cluster.fleet().nodes().size() / NODES_PER_SLICE);
  }

  /** Something that is not at rest, now or when the answers on the wire have come. */
  private Optional<Unrest> unrest() {
    Optional<Unrest> now = rest.any();
    if (now.isPresent()) {
      return now;
    }
    pass(ANSWERS_ON_THE_WIRE);
    return rest.any();
  }

  /** Two periods of the background scan without a change (I7), and without a changing request. */
  private void staysAtRest() {
    Duration twoScans = ConvergenceCheck.scan(cluster).multipliedBy(2);
    OperatorShape operator = cluster.scenario().operator();
    if (operator.demand().isPresent()) {
      pass(LEARNS.plus(operator.releaseDelay()).plus(twoScans)); // the last surplus goes
    }
    long changesBefore = changes();
    pass(twoScans);
    rest.all()
        .forEach(
            each ->
                violations.add(
                    each.invariant(), each.node(), "after it had come to rest: " + each.detail()));
    long changed = changes() - changesBefore;
    if (changed > 0) {
      violations.add("Q1", "", changed + " changing requests in a cluster at rest");
    }
  }

  private long changes() {
    long changes = 0;
    for (CloudOperationInfo each : cluster.cloud().operations()) {
      if (each.mutating()) {
        changes += cluster.cloud().calls().getOrDefault(each.name(), 0L);
      }
    }
    return changes;
  }

  private void pass(Duration time) {
    cluster.time().runUntil(cluster.time().nanos() + time.toNanos());
  }
}
