package io.tidemark.simulation;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.agent.AgentWorld.AddressLedger;
import io.tidemark.simulation.agent.Pod;
import io.tidemark.simulation.cloud.CloudChange;
import io.tidemark.simulation.cloud.CloudInterface;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TimeSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The invariants at every moment (docs/internals/simulation.md): receives every change of cloud,
 * objects and agents, and checks at once what that change touched; {@link #checkAll} looks at
 * everything.
 */
final class Invariants implements AddressLedger {
  private final TimeSource time;
  private final SimulatedCloud cloud;
  private final NodeFleet fleet;
  private final Violations violations;
  private final WireCheck wire;
  private final Set<String> foreign = new HashSet<>();
  private final OrphanedInterfaces loose;
  private final ClusterCheck everything;
  private final SecondOwners secondOwners;
  private int blockSlack;
  private int leaderChanges;

  Invariants(
      TimeSource time,
      SimulatedCloud cloud,
      NodeFleet fleet,
      Violations violations,
      WireCheck wire) {
    this.time = time;
    this.cloud = cloud;
    this.fleet = fleet;
    this.violations = violations;
    this.wire = wire;
    this.loose = new OrphanedInterfaces(violations);
    this.secondOwners = new SecondOwners(violations);
    this.everything = new ClusterCheck(cloud, fleet, this, violations, wire);
  }

  /** Blocks are given whole, so a bound may be passed by less than a block. */
  void allowBlocks(int blockSize) {
    blockSlack = blockSize - 1;
  }

  /**
   * From now on another operator's requests may have been on the wire unseen: one batch more is
   * forgiven.
   */
  void leaderChanged() {
    leaderChanges++;
  }

  /** An interface or instance of another owner (I10). */
  void foreign(String id) {
    foreign.add(id);
  }

  /** Judges what operators say of each other. */
  SecondOwners secondOwners() {
    return secondOwners;
  }

  // ---- agents

  @Override
  public void taken(String instanceId, IpAddress address, Pod pod) {
    SimulatedNode node = fleet.byInstance(instanceId);
    if (node == null) {
      return;
    }
    Pod holder = node.holders().put(address, pod);
    if (holder != null) {
      violations.add(
          "I1", node.name(), address + " given to " + pod + " while " + holder + " holds it");
    }
    if (isOfNode(node, address)) {
      violations.add("I1", node.name(), address + " of the node itself given to " + pod);
    }
    if (!cloud.isAttached(instanceId, address)) {
      violations.add("I3", node.name(), address + " given to " + pod + " is not attached");
    }
  }

  private boolean isOfNode(SimulatedNode node, IpAddress address) {
    return node.object().stream()
            .anyMatch(object -> object.nodeAddresses().owners().containsKey(address))
        || cloud.attachedTo(node.instanceId()).stream()
            .anyMatch(each -> each.deviceIndex() == 0 && each.primary().equals(address));
  }

  @Override
  public void givenBack(String instanceId, IpAddress address) {
    SimulatedNode node = fleet.byInstance(instanceId);
    if (node != null) {
      node.holders().remove(address);
    }
  }

  @Override
  public void waiting(String instanceId, int pods) {
    SimulatedNode node = fleet.byInstance(instanceId);
    if (node != null) {
      node.waiting(pods);
    }
  }

  // ---- the cloud

  /** The cloud changed; {@code by} is the operator's request that did it, if it was one. */
  void cloudChanged(List<CloudChange> changes, Optional<EffectSite> by) {
    for (CloudChange change : changes) {
      if (cloud.isForeign(change.interfaceId())) {
        by.ifPresent(site -> touched(change, site));
        continue; // its owner may change it
      }
      by.ifPresent(site -> pinnedStays(change, site));
      loose.changed(change, by, time.nanos());
      cloudChanged(change);
    }
  }

  private void touched(CloudChange change, EffectSite site) {
    violations.add(
        "I10",
        site.subject(),
        "another owner's interface " + change.interfaceId() + " on it: " + change.kind());
  }

  private void pinnedStays(CloudChange change, EffectSite site) {
    if (change.kind() == CloudChange.Kind.ADDRESSES_REMOVED) {
      AddressSet pinned = cloud.pinned(change.interfaceId());
      for (IpAddress address : change.addresses()) {
        if (pinned.contains(address)) {
          violations.add("I10", site.subject(), address + " is another owner's, and was released");
        }
      }
    }
  }

  private void cloudChanged(CloudChange change) {
    if (foreign.contains(change.interfaceId())) {
      violations.add("I10", "", "foreign interface " + change.interfaceId() + ": " + change.kind());
    }
    SimulatedNode node = fleet.byInstance(change.instanceId());
    switch (change.kind()) {
      case ADDRESSES_REMOVED, INTERFACE_DETACHED, INTERFACE_DELETED -> {
        if (node != null) {
          noneHeld(node, change.addresses(), change);
        }
      }
      case ADDRESSES_ADDED, INTERFACE_ATTACHED -> {
        if (node != null) {
          withinLimits(node);
          withinBound(node);
        } else if (!change.instanceId().isEmpty() && !fleet.knows(change.instanceId())) {
          violations.add(
              "I10", "", "foreign instance " + change.instanceId() + ": " + change.kind());
        }
      }
      case INTERFACE_CREATED ->
          cloud.networkInterface(change.interfaceId()).ifPresent(this::ownedFromBirth);
      case INSTANCE_CHANGED, ATTRIBUTE_CHANGED -> {}
    }
  }

  private void noneHeld(SimulatedNode node, AddressSet addresses, CloudChange change) {
    for (IpAddress address : addresses) {
      Pod holder = node.holders().get(address);
      if (holder != null) {
        violations.add(
            "I2",
            node.name(),
            address
                + " of "
                + holder
                + " taken away: "
                + change.kind()
                + " "
                + change.interfaceId());
      }
    }
  }

  private void ownedFromBirth(CloudInterface born) {
    if (!cloud.isOurs(born)) {
      violations.add("I5", "", born.id() + " was created without owner tags: " + born.tags());
    }
  }

  void withinLimits(SimulatedNode node) {
    List<CloudInterface> attached = cloud.attachedTo(node.instanceId());
    if (attached.size() > node.type().interfaces()) {
      violations.add(
          "I4", node.name(), attached.size() + " interfaces, limit " + node.type().interfaces());
    }
    for (CloudInterface each : attached) {
      if (each.places() > node.type().addressesPerInterface()) {
        violations.add(
            "I4",
            node.name(),
            each.id() + " has " + each.places() + " of " + node.type().addressesPerInterface());
      }
      boolean excluded = each.deviceIndex() < node.launch().firstInterfaceIndex();
      if (excluded && each.podAddresses() > 0) {
        violations.add("I4", node.name(), each.id() + " is below first-interface-index");
      }
    }
  }

  private void withinBound(SimulatedNode node) {
    int available = available(cloud, node);
    int bound = node.bound() + blockSlack + leaderChanges * (node.batch() + blockSlack);
    if (available > bound) {
      violations.add(
          "I8",
          node.name(),
          available + " addresses; the watermarks never asked for more than " + bound);
    }
    int max = node.object().map(object -> object.ipam().maxAllocate()).orElse(0);
    if (max > 0 && leaderChanges == 0 && available > max) {
      violations.add("I8", node.name(), available + " addresses, max-allocate is " + max);
    }
  }

  /** Pod addresses attached to the node's instance at this moment. */
  static int available(SimulatedCloud cloud, SimulatedNode node) {
    int available = 0;
    for (CloudInterface each : cloud.attachedTo(node.instanceId())) {
      available += each.podAddresses();
    }
    return available;
  }

  // ---- objects

  /** A node's object changed on the API server. */
  void objectChanged(SimulatedNode node, NodeResource after, boolean byOperator) {
    Optional<NodeResource> before = node.object();
    node.object(after);
    node.raiseBound();
    if (node.timeToWatermarkNanos().isEmpty()
        && node.marks(after).needed(available(cloud, node)) == 0) {
      fleet.reached(node, time.nanos());
    }
    if (byOperator) {
      before.ifPresent(old -> wire.agentsPartKept(node, old, after));
      wire.written(node, after);
    }
  }

  // ---- everything

  /** Checks every node, interface, address and object. */
  void checkAll() {
    everything.run();
  }

  /** The same, without skipping what did not change since the last check. */
  void checkAllAfresh() {
    everything.forget();
    everything.run();
  }

  /** Checks every object as text, too. */
  void checkObjects() {
    for (SimulatedNode node : fleet.nodes()) {
      node.object().ifPresent(object -> wire.unharmed(node, object));
    }
  }

  /** Interfaces that exist and are attached nowhere, ids ascending. */
  Set<String> unattached() {
    return loose.ids();
  }
}
