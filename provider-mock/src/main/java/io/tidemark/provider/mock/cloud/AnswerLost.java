package io.tidemark.provider.mock.cloud;

import java.io.IOException;

/** The connection broke before a response arrived; the request may have taken effect. */
public final class AnswerLost extends IOException {
  private static final long serialVersionUID = 1L;

  /** A lost answer to {@code operation}. */
  public AnswerLost(CloudOperation operation) {
    super("connection reset while waiting for the answer to " + operation.wire());
  }
}
