package io.tidemark.node;

import java.util.OptionalLong;

/**
 * What keeps a node from trying, by what is tried: a failure of one thing does not keep pods
 * waiting for another. On the node's lane.
 *
 * @param pool of addresses for pods, and of writing the resource
 * @param staticAddress of the public address
 * @param drain of addresses in place of those that leave
 */
record NodeTroubles(NodeTrouble pool, NodeTrouble staticAddress, NodeTrouble drain) {

  static NodeTroubles of(NodeEnvironment environment) {
    return new NodeTroubles(
        new NodeTrouble(environment), new NodeTrouble(environment), new NodeTrouble(environment));
  }

  /** Whose a failure of {@code plan} is, made for a node with these numbers. */
  NodeTrouble of(MaintenancePlan plan, NodeStatistics statistics) {
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
