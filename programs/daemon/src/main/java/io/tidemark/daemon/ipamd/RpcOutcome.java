package io.tidemark.daemon.ipamd;

/** How a call of the plugin ended. */
public sealed interface RpcOutcome<T> {
  /** With this reply. */
  record Replied<T>(T reply) implements RpcOutcome<T> {}

  /**
   * Without one.
   *
   * @param text for people, and for the plugin, which compares some of it
   */
  record Failed<T>(Cause cause, String text) implements RpcOutcome<T> {}

  /** Why a call failed; the names are those of gRPC's codes. */
  enum Cause {
    UNKNOWN,
    INVALID_ARGUMENT,
    NOT_FOUND,
    FAILED_PRECONDITION,
    DEADLINE_EXCEEDED,
    INTERNAL
  }
}
