package io.tidemark.daemon.ipamd.grpc;

/** A request that cannot be read. The message tells why. */
final class InvalidMessageException extends Exception {
  private static final long serialVersionUID = 1L;

  InvalidMessageException(String message) {
    super(message);
  }
}
