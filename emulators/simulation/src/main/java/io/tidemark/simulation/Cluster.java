package io.tidemark.simulation;

import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.store.SimulatedLease;
import io.tidemark.simulation.store.StoreHistory;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualTime;
import java.util.Optional;

/**
 * The parts that all components of one run share: time, API server, cloud, nodes, and the
 * invariants.
 *
 * @param owner the server as those write to it that are neither operator nor agent
 * @param lease the one lease on the API server
 * @param history the former content of the API server; empty when every watch shows what it holds
 */
record Cluster(
    Scenario scenario,
    VirtualTime time,
    InMemoryNodeResourceStore server,
    SimulatedLease lease,
    SimulatedCloud cloud,
    NodeFleet fleet,
    Trouble trouble,
    EventTrace trace,
    Invariants invariants,
    Optional<StoreHistory> history,
    NodeResourceStore owner) {
  /** A request had its effect on the cloud. */
  void cloudServed(EffectSite site) {
    trace.note(() -> "cloud served " + site.operation() + " " + site.subject());
    cloudChanged(Optional.of(site));
  }

  /** Checks what the owner of the account, or time alone, changed in the cloud. */
  void cloudChanged() {
    cloudChanged(Optional.empty());
  }

  private void cloudChanged(Optional<EffectSite> by) {
    var changes = cloud.drainChanges();
    if (!changes.isEmpty()) {
      if (trace.isOn()) {
        changes.forEach(change -> trace.note(change::toString));
      }
      invariants.cloudChanged(changes, by);
    }
  }

  /** A request of an operator that may still be at work had its effect on the API server. */
  void storeServed(EffectSite site, String operator) {
    Optional<NodeResource> before = fleet.byName(site.subject()).flatMap(SimulatedNode::object);
    if (storeServed(site, true)) {
      NodeResource after = server.find(site.subject()).orElseThrow();
      invariants
          .secondOwners()
          .wrote(operator, before.orElse(after), after, time.nanos(), time.clock().epochMillis());
    }
  }

  /**
   * A request of an operator, or else an agent, had its effect on the API server.
   *
   * @return whether a node's object is another one now
   */
  boolean storeServed(EffectSite site, boolean byOperator) {
    Optional<SimulatedNode> node = fleet.byName(site.subject());
    if (node.isPresent()) {
      Optional<NodeResource> now = server.find(site.subject());
      if (now.isPresent() && !now.equals(node.get().object())) {
        trace.note(() -> describe(site, now.get()));
        invariants.objectChanged(node.get(), now.get(), byOperator);
        return true;
      }
    }
    return false;
  }

  private String describe(EffectSite site, NodeResource now) {
    return site.operation()
        + " of "
        + site.subject()
        + " v"
        + now.resourceVersion()
        + " pool "
        + now.pool().addresses()
        + " used "
        + now.used()
        + " release "
        + now.releaseIps()
        + now.ipam()
            .requested()
            .map(
                demand ->
                    " demand "
                        + demand.ipv4()
                        + " holds "
                        + now.ipam().allocatedCidrs().stream().sorted().toList()
                        + " shown "
                        + cloud.shownInterfaces(now))
            .orElse("");
  }

  /** Writes spec and status of an object as a new agent does, at once. */
  void rewrite(NodeResource before, NodeResource after) {
    StoreResult spec = owner.update(before, after);
    NodeResource now = spec instanceof StoreResult.Stored stored ? stored.resource() : before;
    owner.updateStatus(now, now.withStatusOf(after));
    storeServed(new EffectSite("rewrite", after.name()), false);
  }
}
