package io.tidemark.nodeid.claim;

import io.tidemark.nodeid.NodeIdError;

/**
 * A problem of one node.
 *
 * @param detail what is wrong, without a full stop
 */
public record IdFinding(NodeIdError code, String detail) {

  /** The whole message: code, what is wrong, and what to do. */
  public String message() {
    return code.label() + " " + code.name() + ": " + detail + ". " + code.remedy();
  }
}
