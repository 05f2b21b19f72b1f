package io.tidemark.cluster;

import java.util.function.Function;
import java.util.function.Supplier;

/** How one change of a Kubernetes Node ended. */
public sealed interface NodeChange {
  /** The node is as was wanted, and may have been before. */
  record Accepted(ClusterNode node) implements NodeChange {}

  /** Nothing changed: there is no such node, or one of another uid. */
  record Gone() implements NodeChange {}

  /**
   * Nothing changed, and no earlier request of the same change takes effect: the node has other
   * CIDRs, which never change, or it says that it is to get none.
   */
  record Occupied(String detail) implements NodeChange {}

  /** Nothing changed: a permission is missing, or the backend refuses the content. */
  record Refused(String detail) implements NodeChange {}

  /**
   * Nothing changed: the backend takes no request of ours at present, or this process is not the
   * leader. The same request can be sent again after a pause.
   */
  record AskedToWait(String detail) implements NodeChange {}

  /**
   * There is no usable answer: the change may have taken effect, or may do so later. Send the same
   * change again until the answer is another one.
   */
  record Unknown(String detail) implements NodeChange {}

  /** The name of the case, for metrics. */
  default String ending() {
    return match(
        node -> "accepted",
        () -> "gone",
        detail -> "occupied",
        detail -> "refused",
        detail -> "asked_to_wait",
        detail -> "unknown");
  }

  /** Calls the function of the case; all but the first two get the detail. */
  default <R> R match(
      Function<ClusterNode, R> accepted,
      Supplier<R> gone,
      Function<String, R> occupied,
      Function<String, R> refused,
      Function<String, R> askedToWait,
      Function<String, R> unknown) {
    if (this instanceof Accepted it) {
      return accepted.apply(it.node());
    }
    if (this instanceof Gone) {
      return gone.get();
    }
    if (this instanceof Occupied it) {
      return occupied.apply(it.detail());
    }
    if (this instanceof Refused it) {
      return refused.apply(it.detail());
    }
    if (this instanceof AskedToWait it) {
      return askedToWait.apply(it.detail());
    }
    return unknown.apply(((Unknown) this).detail());
  }
}
