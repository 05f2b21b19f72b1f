package io.tidemark.node;

import java.util.OptionalInt;

/**
 * The pods that a node can give addresses to, beside the pods that its kubelet takes. Pure.
 *
 * <p>A kubelet counts pods on the host's network too, which need no address; the usual formula
 * allows two for them. The scheduler counts on what it takes beyond that, and no address is there
 * for it. That it takes fewer pods than there are addresses is no fault: with blocks it is the
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

  /** The remedy. */
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
