package io.tidemark.cluster;

import io.tidemark.error.ErrorCode;

/**
 * Something wrong with a node.
 *
 * @param value the id, CIDR or address that it is about, as the node has it; empty for none
 * @param detail what is wrong, without a full stop
 */
public record NodeProblem(ErrorCode code, String value, String detail) {
  /** A problem of a node that is known by its name. */
  public record At(String node, NodeProblem problem) {}

  /** About no value. */
  public NodeProblem(ErrorCode code, String detail) {
    this(code, "", detail);
  }

  /** The whole message: code, what is wrong, and what to do. */
  public String message() {
    return code.label() + " " + code.name() + ": " + detail + ". " + code.remedy();
  }
}
