package io.tidemark.node;

import io.tidemark.resource.HandshakeState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One address of a {@link ReleaseHandshake}, and what becomes of it. Immutable and pure.
 *
 * @param sinceNanos when it was first continuously surplus, monotonic
 * @param seen our state was seen back in the object
 */
record HandshakeEntry(Phase phase, long sinceNanos, boolean seen) {
  enum Phase {
    /** Surplus for a while; not on the wire. */
    CANDIDATE(null),
    /** We asked the agent. */
    MARKED(HandshakeState.MARKED_FOR_RELEASE),
    /** The agent promised not to use it. */
    READY(HandshakeState.READY_FOR_RELEASE),
    /** The agent refused. */
    REFUSED(HandshakeState.DO_NOT_RELEASE),
    /** No longer attached. */
    RELEASED(HandshakeState.RELEASED);

    private final @Nullable HandshakeState wire;

    Phase(@Nullable HandshakeState wire) {
      this.wire = wire;
    }

    /** The state in the object; empty when it records nothing. */
    Optional<HandshakeState> wire() {
      return Optional.ofNullable(wire);
    }
  }

  /** The object was seen; empty when the address is done with (4.5 a, 4.5 d, 4.6, D-5). */
  Optional<HandshakeEntry> seen(Optional<HandshakeState> wire, boolean attached) {
    return switch (phase) {
      case CANDIDATE -> Optional.of(this);
      case RELEASED -> seenReleased(wire, attached);
      case MARKED, READY, REFUSED ->
          Optional.of(
              attached ? seenMarked(wire) : new HandshakeEntry(Phase.RELEASED, sinceNanos, false));
    };
  }

  /** Finished when the agent dropped it, or when the address is back (4.6, C-18). */
  private Optional<HandshakeEntry> seenReleased(Optional<HandshakeState> wire, boolean attached) {
    if (attached && seen) {
      return Optional.empty();
    }
    if (wire.isEmpty()) {
      return seen ? Optional.empty() : Optional.of(this);
    }
    boolean published = wire.get() == HandshakeState.RELEASED;
    return Optional.of(
        published == seen
            ? this
            : new HandshakeEntry(Phase.RELEASED, sinceNanos, published || seen));
  }

  /** The object was seen, and the address is attached. */
  HandshakeEntry seenMarked(Optional<HandshakeState> wire) {
    if (wire.isEmpty()) {
      // Our mark was erased: an answer to it no longer binds the agent.
      return phase == Phase.MARKED && !seen
          ? this
          : new HandshakeEntry(Phase.MARKED, sinceNanos, false);
    }
    Phase next =
        switch (wire.get()) {
          case READY_FOR_RELEASE -> seen ? Phase.READY : Phase.MARKED;
          case DO_NOT_RELEASE -> seen ? Phase.REFUSED : Phase.MARKED;
          default -> Phase.MARKED;
        };
    boolean nowSeen = seen || wire.get() == HandshakeState.MARKED_FOR_RELEASE;
    return next == phase && nowSeen == seen ? this : new HandshakeEntry(next, sinceNanos, nowSeen);
  }

  /** Marked, when it was surplus for the delay. */
  HandshakeEntry due(long now, long delayNanos) {
    return now - sinceNanos >= delayNanos
        ? new HandshakeEntry(Phase.MARKED, sinceNanos, false)
        : this;
  }

  /** The state that the object must show: our mark, or the agent's answer to our mark. */
  HandshakeState published(@Nullable HandshakeState wire) {
    boolean answered =
        wire == HandshakeState.READY_FOR_RELEASE || wire == HandshakeState.DO_NOT_RELEASE;
    return answered && wire != null && seen ? wire : HandshakeState.MARKED_FOR_RELEASE;
  }
}
