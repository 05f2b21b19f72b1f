package io.tidemark.simulation.demand;

import java.time.Duration;
import java.util.Optional;

/**
 * Nodes of one instance type and the pods that are scheduled on them.
 *
 * @param addressesPerInterface the primary one, which pods do not get, included
 * @param maxPods pods that the scheduler puts on a node
 * @param churn single pods that come and go at a steady rate
 * @param deployments replicas that follow the time of day, and rolling updates
 * @param batch jobs on nodes that an autoscaler adds for them and removes afterwards
 */
public record WorkloadGroup(
    String name,
    int nodes,
    int interfaces,
    int addressesPerInterface,
    int maxPods,
    Optional<Churn> churn,
    Optional<Deployments> deployments,
    Optional<Batch> batch) {

  /**
   * Pods that arrive one by one.
   *
   * @param podsPerNode mean number of them
   * @param lifetime mean, exponentially distributed
   */
  public record Churn(int podsPerNode, Duration lifetime) {}

  /**
   * Deployments of different sizes.
   *
   * @param podsPerNode mean number of their pods at noon
   */
  public record Deployments(int count, int podsPerNode) {}

  /**
   * Jobs that arrive at random.
   *
   * @param every mean time between two
   * @param lifetime mean of a job's pods
   */
  public record Batch(Duration every, int podsLeast, int podsMost, Duration lifetime) {}

  /** Addresses of an interface that pods can get. */
  int podAddressesPerInterface() {
    return addressesPerInterface - 1;
  }

  /** Addresses of a node that pods can get. */
  int ceiling() {
    return interfaces * podAddressesPerInterface();
  }
}
