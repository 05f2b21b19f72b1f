package io.tidemark.node;

/**
 * Sums over all nodes (node-manager 5.5), kept incrementally.
 *
 * @param used addresses in use
 * @param available attached and not in use
 * @param needed missing addresses
 * @param remainingInterfaces interfaces with room plus empty slots
 * @param interfaceCandidates interfaces with room
 * @param emptyInterfaceSlots slots without an interface
 * @param nodes all nodes
 * @param inDeficit nodes that miss addresses
 * @param atCapacity nodes without room and without a free address
 */
public record ClusterStatistics(
    long used,
    long available,
    long needed,
    long remainingInterfaces,
    long interfaceCandidates,
    long emptyInterfaceSlots,
    int nodes,
    int inDeficit,
    int atCapacity) {}
