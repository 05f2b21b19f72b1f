package io.tidemark.node;

import io.tidemark.resource.HandshakeState;
import io.tidemark.spi.Blocked;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How a node stands after its last turn, published for other threads. Immutable.
 *
 * @param pods how many pods can get an address, and how many the kubelet takes
 * @param blocked why it cannot go on
 * @param matter what a person must look after although the node goes on
 * @param handshakes number of addresses by what the object says of them
 * @param waiting a wake-up by time is due that will do something (release delay, back-off, retry)
 */
record Standing(
    NodeStatistics statistics,
    PodCapacity pods,
    NodeState state,
    Optional<Blocked> blocked,
    Optional<Blocked> matter,
    Map<HandshakeState, Integer> handshakes,
    boolean waiting) {
  static final Standing UNKNOWN =
      new Standing(
          NodeStatistics.NONE,
          PodCapacity.UNKNOWN,
          NodeState.FILLING,
          Optional.empty(),
          Optional.empty(),
          Map.of(),
          true);

  Standing {
    Objects.requireNonNull(statistics, "statistics");
    Objects.requireNonNull(pods, "pods");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(blocked, "blocked");
    Objects.requireNonNull(matter, "matter");
    handshakes = Map.copyOf(handshakes);
  }

  /** What is reported: why the node cannot go on, else what a person must look after. */
  Optional<Blocked> reason() {
    return blocked.or(() -> matter);
  }
}
