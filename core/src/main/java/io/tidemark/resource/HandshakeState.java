package io.tidemark.resource;

import java.util.Optional;

/** States of the release handshake as written in {@code status.ipam.release-ips} (4.2). */
public enum HandshakeState {
  /** Written by the operator: a release candidate that waits for the agent's answer. */
  MARKED_FOR_RELEASE("marked-for-release"),
  /** Written by the agent: free, and promised not to be used. */
  READY_FOR_RELEASE("ready-for-release"),
  /** Written by the agent: in use, or not in its pool. */
  DO_NOT_RELEASE("do-not-release"),
  /** Written by the operator: no longer attached. */
  RELEASED("released");

  private final String wire;

  HandshakeState(String wire) {
    this.wire = wire;
  }

  /** The text in the object. */
  public String wire() {
    return wire;
  }

  /** Reads the text in the object. */
  public static Optional<HandshakeState> ofWire(String text) {
    for (HandshakeState state : values()) {
      if (state.wire.equals(text)) {
        return Optional.of(state);
      }
    }
    return Optional.empty();
  }
}
