package io.tidemark.nodeid.local;

import java.util.Objects;
import java.util.Optional;

/** An event for a node-local IPAM. All but {@link NodeUpdate} are followed by a resync. */
public sealed interface NodeIpamEvent permits NodeIpamEvent.Resync, NodeIpamEvent.NodeUpdate {
  /** An event that asks for a resync. */
  sealed interface Resync extends NodeIpamEvent
      permits StartupResync, HealingResync, PodCidrChange {}

  /** The first state, or a later whole state that was not asked for. */
  record StartupResync() implements Resync {}

  /** The state after something failed. */
  record HealingResync() implements Resync {}

  /**
   * A Node object changed.
   *
   * @param node its name
   * @param before the pod CIDR that it had
   * @param after the pod CIDR that it has
   */
  record NodeUpdate(String node, Optional<String> before, Optional<String> after)
      implements NodeIpamEvent {
    public NodeUpdate {
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(before, "before");
      Objects.requireNonNull(after, "after");
    }
  }
}
