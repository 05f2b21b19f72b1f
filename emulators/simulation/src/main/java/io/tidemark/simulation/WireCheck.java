package io.tidemark.simulation;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.cloud.SimulatedCloud.ShownInterface;
import java.util.Map;

/**
 * Checks what operators write: the status lists every pool address that an agent may still give to
 * a pod (F-2), and what others wrote into the object stays (NM-J1).
 */
final class WireCheck {
  /** The value of fields that no version of ours knows, one per level. */
  static final String MARKER = "keep-me";

  private static final int MARKERS = 6;
  private static final int LOOK_EVERY = 64;

  private final SimulatedCloud cloud;
  private final Violations violations;
  private long writes;

  WireCheck(SimulatedCloud cloud, Violations violations) {
    this.cloud = cloud;
    this.violations = violations;
  }

  /**
   * A new node's object with fields of its agent and of others, as JSON.
   *
   * @param address of the node
   */
  static String foreignObject(String name, String section, String address) {
    return """
    {"apiVersion":"cilium.io/v2","kind":"CiliumNode",\
    "metadata":{"name":"NAME","labels":{"team":"keep-me"}},\
    "spec":{"addresses":[{"type":"InternalIP","ip":"ADDRESS","note":"keep-me"}],\
    "bootid":"keep-me","ipam":{"x-ipam":"keep-me"},"SECTION":{"x-SECTION":"keep-me"}},\
    "status":{"x-status":{"deep":"keep-me"}}}\
    """
        .replace("NAME", name)
        .replace("ADDRESS", address)
        .replace("SECTION", section);
  }

  void written(SimulatedNode node, NodeResource object) {
    node.usedWhenWritten(object.used());
    described(node, object);
    if (writes++ % LOOK_EVERY == 0) {
      unharmed(node, object);
    }
  }

  /** An operator never changes the agent's part (NM-S1). */
  void agentsPartKept(SimulatedNode node, NodeResource before, NodeResource after) {
    if (!before.used().equals(after.used())) {
      violations.add(
          "S2",
          node.name(),
          "the operator changed the used addresses from " + before.used() + " to " + after.used());
    }
    if (!before.ipam().requested().equals(after.ipam().requested())
        || !before.ipam().allocatedCidrs().equals(after.ipam().allocatedCidrs())) {
      violations.add("S2", node.name(), "the operator changed the agent's demand or CIDRs");
    }
  }

  /**
   * Every pool address is in the status or has the state {@code released}. There are two
   * exceptions. An address that a pod uses stays in the pool until a later read confirms that it is
   * gone. When its pod ends, only the agent knows, so the address has no state until the next write
   * of an operator, which must set it. In that interval the agent may give the address to another
   * pod. A used address is attached (I2), and I3 checks that it still is.
   */
  @SuppressWarnings("ReferenceEquality")
  void described(SimulatedNode node, NodeResource object) {
    if (node.described() == object) {
      return;
    }
    node.described(object);
    boolean agentReadsStatusAlone = node.agent().multiPool();
    if (agentReadsStatusAlone || object.pool().isEmpty()) {
      return;
    }
    AddressSet held = node.usedWhenWritten().plus(object.used());
    Map<String, ShownInterface> interfaces = cloud.shownInterfaces(object);
    for (Map.Entry<String, AddressSet> each : object.pool().byResource().entrySet()) {
      if (node.formerInterfaces().contains(each.getKey())) {
        continue;
      }
      ShownInterface shown = interfaces.get(each.getKey());
      if (shown == null) {
        allReleased(node, object, each.getKey(), each.getValue().minus(held));
      } else {
        allDescribed(
            node, object, each.getKey(), each.getValue().minus(held).minus(shown.addresses()));
      }
    }
  }

  /** A released address may be missing: the agent does not use it (6.1). */
  private void allDescribed(
      SimulatedNode node, NodeResource object, String interfaceId, AddressSet missing) {
    for (IpAddress address : missing) {
      if (object.releaseIps().get(address) != HandshakeState.RELEASED) {
        violations.add(
            "F-2",
            node.name(),
            address + " of " + interfaceId + " is in the pool, not in the status");
      }
    }
  }

  private void allReleased(
      SimulatedNode node, NodeResource object, String interfaceId, AddressSet pool) {
    for (IpAddress address : pool) {
      if (object.releaseIps().get(address) != HandshakeState.RELEASED) {
        violations.add(
            "F-2", node.name(), "pool has " + address + " of unknown interface " + interfaceId);
      }
    }
  }

  /** All foreign fields are still there. */
  void unharmed(SimulatedNode node, NodeResource object) {
    String text = NodeResourceJson.print(object);
    int found = 0;
    for (int at = text.indexOf(MARKER); at >= 0; at = text.indexOf(MARKER, at + 1)) {
      found++;
    }
    if (found != MARKERS) {
      violations.add("J1", node.name(), found + " of " + MARKERS + " foreign fields left: " + text);
    }
  }
}
