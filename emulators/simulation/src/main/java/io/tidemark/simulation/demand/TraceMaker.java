package io.tidemark.simulation.demand;

import io.tidemark.simulation.demand.WorkloadGroup.Churn;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.SplittableRandom;

/** Makes the trace of a workload; equal seeds give equal traces. */
final class TraceMaker {
  private final Placement placement;
  private final VirtualTime time;

  private TraceMaker(Placement placement) {
    this.placement = placement;
    this.time = placement.time();
  }

  static PodTrace trace(Workload workload, long seed) {
    VirtualTime time = new VirtualTime(0);
    PodTrace trace = new PodTrace();
    Placement placement = new Placement(workload, time, new SplittableRandom(seed), trace);
    TraceMaker maker = new TraceMaker(placement);
    workload.groups().forEach(maker::begin);
    time.runUntilIdle(Workload.DAY.toNanos());
    trace.end();
    return trace;
  }

  private void begin(WorkloadGroup group) {
    int[] nodes = placement.nodesOf(group);
    if (group.batch().isPresent()) {
      new BatchJobs(placement, nodes, group.batch().get()).begin();
      return;
    }
    for (int node : nodes) {
      time.after(placement.upTo(Duration.ofMinutes(10)), () -> placement.join(node, () -> {}));
    }
    group.churn().ifPresent(churn -> nextPod(nodes, churn));
    group
        .deployments()
        .ifPresent(
            deployments -> {
              double pods = (double) nodes.length * deployments.podsPerNode() / deployments.count();
              for (int i = 0; i < deployments.count(); i++) {
                new Deployment(placement, nodes, pods).begin();
              }
            });
  }

  private void nextPod(int[] nodes, Churn churn) {
    Duration every = churn.lifetime().dividedBy((long) nodes.length * churn.podsPerNode());
    time.after(
        placement.around(every),
        () -> {
          int node = placement.spread(nodes);
          if (node >= 0) {
            placement.bind(node, Duration.ZERO);
            time.after(placement.around(churn.lifetime()), () -> placement.end(node));
          }
          nextPod(nodes, churn);
        });
  }
}
