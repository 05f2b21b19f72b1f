package io.tidemark.simulation;

import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.cloud.SimulatedCloud;

/**
 * The state of a node, to compare two runs: without addresses and ids, and without interfaces, of
 * which there are as many as the most addresses ever took.
 *
 * @param attached pod addresses that are attached
 * @param offered addresses of the pool
 * @param used addresses that its object names as used
 * @param handshakes entries of the release handshake
 * @param waiting pods without an address
 */
record NodeEnd(int attached, int offered, int used, int handshakes, int waiting) {
  static NodeEnd of(SimulatedNode node, SimulatedCloud cloud) {
    NodeResource object = node.lastObject();
    return new NodeEnd(
        Invariants.available(cloud, node),
        object.pool().addresses().size(),
        object.used().size(),
        object.releaseIps().size(),
        node.waiting());
  }
}
