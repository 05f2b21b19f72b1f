package io.tidemark.node;

import io.tidemark.resource.HandshakeState;
import io.tidemark.spi.Blocked;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How a node stands after its last turn, published for other threads. Immutable.
 *
 * @param blocked why it cannot go on
 * @param handshakes number of addresses by what the object says of them
 * @param waiting a wake-up by time is due that will do something (release delay, back-off, retry)
 */
record Standing(
    NodeStatistics statistics,
    NodeState state,
    Optional<Blocked> blocked,
    Map<HandshakeState, Integer> handshakes,
    boolean waiting) {
  static final Standing UNKNOWN =
      new Standing(NodeStatistics.NONE, NodeState.FILLING, Optional.empty(), Map.of(), true);

  Standing {
    Objects.requireNonNull(statistics, "statistics");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(blocked, "blocked");
    handshakes = Map.copyOf(handshakes);
  }
}
