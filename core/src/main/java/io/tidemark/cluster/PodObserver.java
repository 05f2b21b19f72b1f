package io.tidemark.cluster;

import static java.util.stream.Collectors.toSet;

import io.tidemark.demand.NodeSpare;
import io.tidemark.demand.UnreportedPods;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.UsedAddress;
import io.tidemark.time.TimeSource;
import java.util.Optional;
import java.util.Set;

/**
 * The pods of one node whose agent names them: its spare addresses learn from them, and their waits
 * for an address are measured. Confined to the thread that decides about the node.
 */
public final class PodObserver {
  private final String node;
  private final PendingPods pending;
  private final Meters metrics;
  private final TimeSource time;
  private final Optional<NodeSpare> spare;
  private final UnreportedPods unreported = new UnreportedPods();

  /**
   * Of a node that has not been observed yet.
   *
   * @param spare learns from its pods
   */
  public PodObserver(
      String node,
      PendingPods pending,
      Meters metrics,
      TimeSource time,
      Optional<NodeSpare> spare) {
    this.node = node;
    this.pending = pending;
    this.metrics = metrics;
    this.time = time;
    this.spare = spare;
  }

  /**
   * Takes in the pods of this moment.
   *
   * @param reported addresses that pods have by the agent's last report
   * @param newest the object with that report; empty if there is a later one, which counts
   */
  public void observe(int reported, Optional<NodeResource> newest) {
    Set<String> unaddressed = pending.unaddressed(node);
    if (newest.isPresent() && !(unaddressed.isEmpty() && unreported.isEmpty())) {
      NodeResource object = newest.get();
      unreported.observe(
          unaddressed,
          object.usedEntries().values().stream().map(PodObserver::pod).collect(toSet()),
          object.pool().size(),
          object.used().size(),
          time.nanos(),
          waited -> metrics.record(Metric.ADDRESS_WAIT, waited));
    }
    spare.ifPresent(it -> it.observe(reported, unreported.lacking(), newest.isPresent()));
  }

  /** The owner, without what Cilium's agent adds to it. */
  private static String pod(UsedAddress used) {
    return used.owner().split(" ", 2)[0];
  }
}
