package io.tidemark.simulation;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.simulation.cloud.CloudInterface;
import io.tidemark.simulation.cloud.SimulatedCloud;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Checks every node, interface, address and object, whether or not a change of it was noticed. An
 * object that is the same instance as the last time was correct then and is not checked again;
 * {@link #forget} makes the next run check everything.
 */
final class ClusterCheck {
  private final SimulatedCloud cloud;
  private final NodeFleet fleet;
  private final Invariants invariants;
  private final Violations violations;
  private final WireCheck wire;

  /** Which interface holds which IPv4 address; no two may hold the same (I1). */
  private final Map<Integer, String> holders = new HashMap<>();

  private final List<SimulatedNode> changed = new ArrayList<>();
  private final List<CloudInterface> loose = new ArrayList<>();
  private int departed;

  ClusterCheck(
      SimulatedCloud cloud,
      NodeFleet fleet,
      Invariants invariants,
      Violations violations,
      WireCheck wire) {
    this.cloud = cloud;
    this.fleet = fleet;
    this.invariants = invariants;
    this.violations = violations;
    this.wire = wire;
  }

  /** Makes the next run check everything. */
  void forget() {
    holders.clear();
    loose.clear();
    departed = fleet.departed().size();
    fleet.nodes().forEach(node -> node.judged(new CheckedNode()));
  }

  void run() {
    loose.forEach(this::release);
    loose.clear();
    List<SimulatedNode> gone = fleet.departed();
    for (; departed < gone.size(); departed++) {
      gone.get(departed).judged().attached().forEach(this::release);
    }
    for (SimulatedNode node : fleet.nodes()) {
      look(node);
    }
    for (SimulatedNode node : changed) {
      invariants.withinLimits(node);
      node.judged().attached().forEach(this::claim);
    }
    changed.clear();
    for (String id : invariants.unattached()) {
      cloud.networkInterface(id).ifPresent(loose::add);
    }
    loose.forEach(this::claim);
  }

  private void look(SimulatedNode node) {
    CheckedNode judged = node.judged();
    List<CloudInterface> before = judged.changeTo(cloud.attachedTo(node.instanceId()));
    if (before != null) {
      before.forEach(this::release);
      changed.add(node);
    }
    if (!judged.isSameUse(node.agent())) {
      for (IpAddress address : node.agent().used().keySet()) {
        if (!cloud.isAttached(node.instanceId(), address)) {
          violations.add("I2", node.name(), address + " is in use and not attached");
        }
      }
    }
    node.object().ifPresent(object -> wire.described(node, object));
  }

  private void claim(CloudInterface each) {
    forEachAddress(
        each,
        bits -> {
          String other = holders.putIfAbsent(bits, each.id());
          if (other != null) {
            violations.add(
                "I1", "", new Ipv4Address(bits) + " is on " + other + " and " + each.id());
          }
        });
  }

  /** Undoes {@link #claim} of the very same interface. */
  private void release(CloudInterface each) {
    forEachAddress(each, bits -> holders.remove(bits, each.id()));
  }

  private static void forEachAddress(CloudInterface each, IntConsumer action) {
    if (each.primary() instanceof Ipv4Address primary) {
      action.accept(primary.bits());
    }
    each.singles().forEachIpv4(action);
    for (Cidr block : each.blocks()) {
      if (block.network() instanceof Ipv4Address network) {
        for (int i = 0; i < block.sizeSaturated(); i++) {
          action.accept(network.bits() + i);
        }
      }
    }
  }
}
