package io.tidemark.simulation;

import io.tidemark.simulation.agent.Pod;
import io.tidemark.simulation.scenario.NodeGroup;
import io.tidemark.simulation.scenario.NodeGroup.Churn;
import io.tidemark.simulation.scenario.NodeGroup.PodWave;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Pods that come and go on each node, as the groups of the scenario say. */
final class PodTraffic {
  private final VirtualTime time;
  private final SplittableRandom random;
  private final long endNanos;
  private long pods;

  /** No pod comes or goes after {@code endNanos}. */
  PodTraffic(VirtualTime time, SplittableRandom random, long endNanos) {
    this.time = time;
    this.random = random;
    this.endNanos = endNanos;
  }

  /** Begins the traffic of a node that has just joined. */
  void begin(SimulatedNode node) {
    NodeGroup group = node.group();
    for (PodWave wave : group.waves()) {
      long from = Math.max(time.nanos(), wave.when().at().toNanos());
      for (int i = 0; i < Math.abs(wave.pods()); i++) {
        long at = from + upTo(wave.when().over());
        boolean comes = wave.pods() > 0;
        schedule(at, node, comes ? () -> arrives(node) : () -> leaves(node));
      }
    }
    group.churn().ifPresent(churn -> nextOf(node, churn));
  }

  /** The pods of a lost instance are created again on the new one. */
  void recreate(SimulatedNode node, int count) {
    for (int i = 0; i < count; i++) {
      schedule(time.nanos() + upTo(Duration.ofSeconds(30)), node, () -> arrives(node));
    }
  }

  private void nextOf(SimulatedNode node, Churn churn) {
    schedule(
        time.nanos() + around(churn.every()),
        node,
        () -> {
          Pod pod = arrives(node);
          schedule(
              time.nanos() + around(churn.lifetime()), node, () -> node.agent().podLeaves(pod));
          nextOf(node, churn);
        });
  }

  private Pod arrives(SimulatedNode node) {
    Pod pod = new Pod(pods++);
    node.agent().podArrives(pod);
    return pod;
  }

  private void leaves(SimulatedNode node) {
    List<Pod> present = node.agent().pods();
    if (!present.isEmpty()) {
      node.agent().podLeaves(present.get(random.nextInt(present.size())));
    }
  }

  private void schedule(long atNanos, SimulatedNode node, Runnable what) {
    if (atNanos <= endNanos) {
      time.at(
          atNanos,
          () -> {
            if (node.isPresent()) {
              what.run();
            }
          });
    }
  }

  private long upTo(Duration most) {
    return most.isZero() ? 0 : random.nextLong(most.toNanos());
  }

  /** An exponentially distributed time with this mean. */
  private long around(Duration mean) {
    return (long) (-Math.log(1 - random.nextDouble()) * mean.toNanos());
  }
}
