package io.tidemark.node;

import io.tidemark.node.NodeStatistics.PodCapacity;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.HandshakeState;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.Map;
import java.util.Optional;

/**
 * The status of a node after its last turn, published for other threads. Immutable.
 *
 * @param pods how many pods can get an address, and how many the kubelet takes
 * @param blocked why it cannot go on
 * @param warning a problem that needs human action although the node is served
 * @param handshakes number of addresses by what the object says of them
 * @param waiting a wake-up by time is due that will do something (release delay, back-off, retry)
 */
record NodeStatus(
    NodeStatistics statistics,
    PodCapacity pods,
    NodeState state,
    Optional<Blocked> blocked,
    Optional<Blocked> warning,
    Map<HandshakeState, Integer> handshakes,
    boolean waiting) {
  static final NodeStatus UNKNOWN =
      new NodeStatus(
          NodeStatistics.NONE,
          PodCapacity.UNKNOWN,
          NodeState.WAITING,
          Optional.empty(),
          Optional.empty(),
          Map.of(),
          true);

  /** Of a node whose instance is not known yet; the numbers are those of its resource. */
  static NodeStatus incomplete(ResourceFacts facts, Blocked why) {
    return new NodeStatus(
        NodeStatistics.NONE.written(facts.poolSize(), facts.usedCount(), 0),
        PodCapacity.UNKNOWN,
        NodeState.INCOMPLETE,
        Optional.of(why),
        Optional.empty(),
        Map.of(),
        true);
  }

  /** Attached addresses that the agent is asked to give back, or has promised not to use. */
  int inHandshake() {
    return handshakes.getOrDefault(HandshakeState.MARKED_FOR_RELEASE, 0)
        + handshakes.getOrDefault(HandshakeState.READY_FOR_RELEASE, 0);
  }

  /** The reported reason: why the node cannot go on, else the warning. */
  Optional<Blocked> reason() {
    return blocked.or(() -> warning);
  }

  /**
   * The state that follows from what is known and from what the node waits for.
   *
   * @param unwritten addresses that are attached and that the object lacks
   */
  static NodeStatus of(
      EngineConfig config,
      NodeStatistics statistics,
      PodCapacity pods,
      Optional<Blocked> blocked,
      Optional<Blocked> warning,
      ReleaseHandshake handshake,
      boolean givingBackCidrs,
      int unwritten,
      boolean waiting) {
    return new NodeStatus(
        statistics,
        pods,
        state(config, statistics, blocked, unwritten, givingBackCidrs || !handshake.isEmpty()),
        blocked,
        warning,
        handshake.countByWireState(),
        waiting);
  }

  private static NodeState state(
      EngineConfig config,
      NodeStatistics statistics,
      Optional<Blocked> blocked,
      int unwritten,
      boolean releasing) {
    if (blocked.isPresent() && !passing(blocked.get().reason())) {
      return blocked.get().reason() == BlockedReason.INSTANCE_NOT_RUNNING
          ? NodeState.NOT_RUNNING
          : NodeState.BLOCKED;
    }
    if (statistics.needed() + unwritten > 0 || blocked.isPresent()) {
      return NodeState.FILLING;
    }
    boolean surplus = config.release().enabled() && statistics.excess() > 0;
    return surplus || releasing ? NodeState.RELEASING : NodeState.OK;
  }

  /** A wait that ends by itself is not a blockade. */
  private static boolean passing(BlockedReason reason) {
    return reason == BlockedReason.BACKING_OFF || reason == BlockedReason.READING_BACK;
  }
}
