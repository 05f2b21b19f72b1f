package io.tidemark.node;

/**
 * Numbers of one node (node-manager 1.8), an immutable snapshot.
 *
 * @param available attached and usable addresses, used ones included
 * @param used addresses that pods hold, or that follow from a multi-pool agent's demand
 * @param capacity pod addresses the node could ever have
 * @param needed missing addresses
 * @param excess surplus addresses, those of draining interfaces included
 * @param interfaces attached interfaces
 * @param interfacesWithRoom attached interfaces that can take more
 * @param emptySlots interfaces that can still be attached
 */
record NodeStatistics(
    int available,
    int used,
    int capacity,
    int needed,
    int excess,
    int interfaces,
    int interfacesWithRoom,
    int emptySlots) {
  static final NodeStatistics NONE = new NodeStatistics(0, 0, 0, 0, 0, 0, 0, 0);

  /** The same with pool, use and need as the object says them, while the instance is not known. */
  NodeStatistics written(int poolSize, int usedCount, int unmet) {
    return new NodeStatistics(
        poolSize, usedCount, capacity, unmet, excess, interfaces, interfacesWithRoom, emptySlots);
  }

  /** Interfaces with room plus empty slots. */
  int remainingInterfaces() {
    return interfacesWithRoom + Math.max(0, emptySlots);
  }

  /** No room and no free address (5.5). */
  boolean atCapacity() {
    return remainingInterfaces() == 0 && available - used == 0;
  }

  /** How many interfaces could follow; a negative count tells how many there are too many. */
  static String slotsText(int slots) {
    return slots < 0 ? -slots + " above the limit" : slots + " empty slots";
  }
}
