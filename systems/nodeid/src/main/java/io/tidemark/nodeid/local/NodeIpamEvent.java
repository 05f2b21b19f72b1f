package io.tidemark.nodeid.local;

import java.util.Optional;

/** An event for a node-local IPAM. All but {@link NodeUpdate} are followed by a resync. */
public sealed interface NodeIpamEvent {
  sealed interface Resync extends NodeIpamEvent {}

  /** The first state, or a later whole state that was not asked for. */
  record StartupResync() implements Resync {}

  /** The state after something failed. */
  record HealingResync() implements Resync {}

  /** A Node object changed, and its pod CIDR perhaps. */
  record NodeUpdate(String node, Optional<String> before, Optional<String> after)
      implements NodeIpamEvent {}

  /**
   * The pod CIDR of this node is another one, as an external IPAM has chosen it and the Node object
   * has it. A resync follows, in which every subnet is computed anew.
   */
  record PodCidrChange(String localPodCidr) implements Resync {
    public static final String NAME = "Pod CIDR Change";

    @Override
    public String toString() {
      return NAME + " to " + localPodCidr;
    }
  }
}
