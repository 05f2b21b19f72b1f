package io.tidemark.simulation;

import io.tidemark.simulation.scenario.Fault;
import io.tidemark.simulation.scenario.NodeGroup;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Lets the scenario's faults happen at their times. */
final class FaultSchedule {
  private static final int CRASH_WITHIN_STEPS = 300;

  private final Cluster cluster;
  private final NodeLife life;
  private final Operators operators;
  private final SplittableRandom random;
  private long crashAtStep = Long.MAX_VALUE;
  private Duration crashPause = Duration.ZERO;

  FaultSchedule(Cluster cluster, NodeLife life, Operators operators, SplittableRandom random) {
    this.cluster = cluster;
    this.life = life;
    this.operators = operators;
    this.random = random;
  }

  /** Schedules everything. */
  void begin() {
    for (Fault fault : cluster.scenario().faults()) {
      cluster.time().at(fault.at().toNanos(), () -> strike(fault));
    }
  }

  /** After each step: a crash comes at a random one, not only between events of our own. */
  void afterStep(long step) {
    if (step >= crashAtStep) {
      crashAtStep = Long.MAX_VALUE;
      operators.crash(crashPause);
    }
  }

  private void strike(Fault fault) {
    cluster.trace().note(() -> "fault " + fault);
    long endNanos = cluster.time().nanos() + fault.lasting().toNanos();
    switch (fault.kind()) {
      case LOST_REQUEST,
          LOST_ANSWER,
          HANG,
          ERRORS,
          STALE_READS,
          STORE_CONFLICTS,
          STORE_OUTAGE,
          WATCH_LAG ->
          window(fault, endNanos);
      case THROTTLE_STORM -> {
        window(fault, endNanos);
        cluster.cloud().neighboursTake(fault.share(), 60);
        storm(fault, endNanos);
      }
      case STOP_INSTANCE -> drawn(fault).forEach(node -> life.stop(node, endNanos));
      case TERMINATE_INSTANCE -> drawn(fault).forEach(node -> life.terminate(node, endNanos));
      case REMOVE_NODE -> drawn(fault).forEach(life::remove);
      case ADD_NODE -> addNodes(fault.nodes());
      case REPLACE_INSTANCE -> drawn(fault).forEach(life::replace);
      case RESTART_AGENT -> drawn(fault).forEach(life::restartAgent);
      case REPLACE_AGENT -> drawn(fault).forEach(life::replaceAgent);
      case CRASH_OPERATOR -> {
        crashAtStep = cluster.time().steps() + random.nextInt(CRASH_WITHIN_STEPS);
        crashPause = fault.lasting();
      }
      case SECOND_OPERATOR -> {
        operators.start();
        cluster.time().at(endNanos, operators::onlyOne);
      }
      case STALL_OPERATOR -> operators.freeze(fault.lasting());
      case WALL_CLOCK_STEP -> cluster.time().clock().step(fault.step());
    }
  }

  private void window(Fault fault, long endNanos) {
    cluster.trouble().begin(fault);
    cluster
        .time()
        .at(
            endNanos,
            () -> {
              cluster.trace().note(() -> "end of " + fault);
              cluster.trouble().end(fault);
            });
  }

  private void storm(Fault fault, long endNanos) {
    if (cluster.time().nanos() < endNanos) {
      cluster.cloud().neighboursTake(fault.share(), 1);
      cluster.time().after(Duration.ofSeconds(1), () -> storm(fault, endNanos));
    }
  }

  private List<SimulatedNode> drawn(Fault fault) {
    return cluster.fleet().draw(fault.nodes(), random);
  }

  private void addNodes(int count) {
    List<NodeGroup> groups = cluster.scenario().nodeGroups();
    for (int i = 0; i < count; i++) {
      life.join(groups.get(random.nextInt(groups.size())));
    }
  }
}
