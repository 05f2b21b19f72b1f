package io.tidemark.emulator.ec2.http;

/** Answers requests outside of the EC2 protocol; called on any thread. */
@FunctionalInterface
public interface PlainDoor {
  /**
   * What comes of this request.
   *
   * @param form the body, and when there is none the query
   */
  PlainResponse answer(String method, String path, String form);
}
