package io.tidemark.node;

import java.util.Locale;

/** The state of a node in reports; the texts are published. */
public enum NodeState {
  /** Between its watermarks, as its object says, and nothing to do. */
  OK,
  /** It, its object or the cloud was not read yet. */
  WAITING,
  /** Addresses are missing and being allocated, or written into the object. */
  FILLING,
  /** Surplus addresses are being released. */
  RELEASING,
  /** Blocked; the reason says why. */
  BLOCKED,
  /** The instance is stopped. */
  NOT_RUNNING,
  /** The agent has not yet written what identifies the instance. */
  INCOMPLETE,
  /** The resource cannot be read; the last readable one counts. */
  INVALID;

  /** The published text. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
