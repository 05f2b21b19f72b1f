package io.tidemark.node;

import java.util.OptionalInt;

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

  /**
   * The pods that a node can give addresses to, beside the pods that its kubelet takes. A kubelet
   * counts pods on the host's network too, which need no address; the usual formula allows two for
   * them. That it takes fewer pods than there are addresses is no fault: with blocks it is the
   * rule.
   *
   * @param addresses pod addresses the node can ever hold
   * @param maxPods of its kubelet; empty when not known
   */
  record PodCapacity(int addresses, OptionalInt maxPods) {
    /** Pods on the host's network that the usual formula of max-pods allows for. */
    static final int HOST_NETWORK_PODS = 2;

    static final PodCapacity UNKNOWN = new PodCapacity(0, OptionalInt.empty());

    /** Pods that the kubelet takes and that could never get an address; 0 when there are none. */
    int promisedInVain() {
      return Math.max(0, maxPods.orElse(0) - HOST_NETWORK_PODS - addresses);
    }

    /** The numbers as text; only where the kubelet is known. */
    String text() {
      return addresses + " addresses at most, the kubelet takes " + maxPods.orElse(0) + " pods";
    }

    String advice() {
      return "The kubelet takes "
          + maxPods.orElse(0)
          + " pods, and there can be addresses for "
          + addresses
          + ": "
          + promisedInVain()
          + " pods could be placed here and wait for ever. Set max-pods to at most "
          + (addresses + HOST_NETWORK_PODS)
          + ", or raise what the node can hold.";
    }
  }
}
