package io.tidemark.node;

/** The state of a node in reports; the texts are published. */
public enum NodeState {
  /** Between its watermarks, as its object says, and nothing to do. */
  OK("ok"),
  /** It, its object or the cloud was not read yet. */
  WAITING("waiting"),
  /** Addresses are missing and being allocated, or written into the object. */
  FILLING("filling"),
  /** Surplus addresses are being released. */
  RELEASING("releasing"),
  /** Blocked; the reason says why. */
  BLOCKED("blocked"),
  /** The instance is stopped. */
  NOT_RUNNING("not-running"),
  /** The agent has not yet written what identifies the instance. */
  INCOMPLETE("incomplete"),
  /** The resource cannot be read; the last readable one counts. */
  INVALID("invalid");

  private final String text;

  NodeState(String text) {
    this.text = text;
  }

  /** The published text. */
  public String text() {
    return text;
  }
}
