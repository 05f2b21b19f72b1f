package io.tidemark.node;

import java.util.OptionalLong;

/**
 * The back-offs of one node, one for each kind of work: a failure of one kind does not delay the
 * others. Confined to the node's lane.
 *
 * @param pool of adding addresses for pods, and of writing the resource
 * @param staticAddress of the public address
 * @param drain of adding addresses in place of those that leave
 */
record NodeBackoffs(NodeBackoff pool, NodeBackoff staticAddress, NodeBackoff drain) {

  static NodeBackoffs of(NodeEnvironment environment) {
    return new NodeBackoffs(
        new NodeBackoff(environment), new NodeBackoff(environment), new NodeBackoff(environment));
  }

  /** Whose a failure of {@code plan} is, made for a node with these numbers. */
  NodeBackoff of(MaintenancePlan plan, NodeStatistics statistics) {
    if (plan instanceof MaintenancePlan.AssignStaticAddress) {
      return staticAddress;
    }
    return statistics.needed() == 0 && plan.asksFor() > 0 ? drain : pool;
  }

  /** Whether one of them is tried again before long. */
  boolean willRetry() {
    return pool.willRetry() || staticAddress.willRetry() || drain.willRetry();
  }

  /** When time ends what keeps one of them from being tried; only instants to come. */
  OptionalLong nextWakeUp(long now) {
    OptionalLong due = Earliest.of(pool.nextWakeUp(), staticAddress.nextWakeUp(), now);
    return Earliest.of(due, drain.nextWakeUp(), now);
  }
}
