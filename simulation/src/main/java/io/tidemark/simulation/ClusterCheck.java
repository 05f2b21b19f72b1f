package io.tidemark.simulation;

import io.tidemark.ip.IpAddress;
import io.tidemark.simulation.agent.SimulatedAgent;
import io.tidemark.simulation.cloud.CloudInterface;
import io.tidemark.simulation.cloud.SimulatedCloud;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every node, interface, address and object, whatever has or has not been told of. What is
 * the very same object as the last time was found right then and is not judged again; {@link
 * #forget} makes it judge everything.
 */
final class ClusterCheck {
  private final SimulatedCloud cloud;
  private final NodeFleet fleet;
  private final Invariants invariants;
  private final Violations violations;
  private final WireCheck wire;
  private final AddressClaims claims;
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
    this.claims = new AddressClaims(violations);
  }

  /** What one node looked like when it was last judged. */
  static final class Judged {
    private List<CloudInterface> attached = List.of();
    private List<CloudInterface> usable = List.of();
    private @Nullable SimulatedAgent agent;
    private long usedChanges;

    /** Notes what is attached; answers what was, null when it is the same. */
    @SuppressWarnings("ReferenceEquality")
    private @Nullable List<CloudInterface> changeTo(List<CloudInterface> now) {
      if (now == attached) {
        return null;
      }
      List<CloudInterface> before = attached;
      attached = now;
      return before;
    }

    /** Notes who uses what; answers whether it is the same as before. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isSameUse(SimulatedAgent now) {
      boolean same = usable == attached && agent == now && usedChanges == now.usedChanges();
      usable = attached;
      agent = now;
      usedChanges = now.usedChanges();
      return same;
    }
  }

  /** Judges everything the next time. */
  void forget() {
    claims.clear();
    loose.clear();
    departed = fleet.departed().size();
    fleet.nodes().forEach(node -> node.judged(new Judged()));
  }

  void run() {
    loose.forEach(claims::release);
    loose.clear();
    List<SimulatedNode> gone = fleet.departed();
    for (; departed < gone.size(); departed++) {
      gone.get(departed).judged().attached.forEach(claims::release);
    }
    for (SimulatedNode node : fleet.nodes()) {
      look(node);
    }
    for (SimulatedNode node : changed) {
      invariants.withinLimits(node);
      node.judged().attached.forEach(claims::claim);
    }
    changed.clear();
    for (String id : invariants.unattached()) {
      cloud.networkInterface(id).ifPresent(loose::add);
    }
    loose.forEach(claims::claim);
  }

  private void look(SimulatedNode node) {
    Judged judged = node.judged();
    List<CloudInterface> before = judged.changeTo(cloud.attachedTo(node.instanceId()));
    if (before != null) {
      before.forEach(claims::release);
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
}
