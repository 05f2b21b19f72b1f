package io.tidemark.emulator.kit.http;

/** Serves requests outside the EC2 protocol; called on any thread. */
@FunctionalInterface
public interface PlainDoor {
  /**
   * The response to this request.
   *
   * @param form the body, or the query without a body
   */
  PlainResponse answer(String method, String path, String form);
}
