package io.tidemark.node;

/** The state of a node in reports; the texts are published. */
public enum NodeState {
  /** Between its water marks and nothing to do. */
  OK("ok"),
  /** Addresses are missing and on their way. */
  FILLING("filling"),
  /** Surplus addresses are on their way back. */
  RELEASING("releasing"),
  /** Cannot go on; the reason says why. */
  BLOCKED("blocked"),
  /** The instance is stopped. */
  NOT_RUNNING("not-running"),
  /** The agent has not said yet what is needed to know the instance. */
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
