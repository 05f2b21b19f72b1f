package io.tidemark.node;

/**
 * Numbers of one node (node-manager 1.8), an immutable snapshot.
 *
 * @param available attached and usable addresses, used ones included
 * @param used addresses that pods hold, or that a multi-pool agent's demand stands for
 * @param capacity pod addresses the node could ever have
 * @param needed missing addresses
 * @param excess surplus addresses, those of {@code drain} included
 * @param drain what leaves with interfaces that shall be emptied
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
    Drain drain,
    int interfaces,
    int interfacesWithRoom,
    int emptySlots) {
  static final NodeStatistics NONE = new NodeStatistics(0, 0, 0, 0, 0, Drain.NONE, 0, 0, 0);

  /** The same with the pool and the use that the object says, while the instance is not known. */
  NodeStatistics written(ResourceFacts facts) {
    return new NodeStatistics(
        facts.poolSize(),
        facts.usedCount(),
        capacity,
        needed,
        excess,
        drain,
        interfaces,
        interfacesWithRoom,
        emptySlots);
  }

  /** Interfaces with room plus empty slots. */
  int remainingInterfaces() {
    return interfacesWithRoom + Math.max(0, emptySlots);
  }

  /** No room and no free address (5.5). */
  boolean atCapacity() {
    return remainingInterfaces() == 0 && available - used == 0;
  }
}
