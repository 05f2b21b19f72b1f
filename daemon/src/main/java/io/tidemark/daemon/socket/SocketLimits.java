package io.tidemark.daemon.socket;

import java.time.Duration;

/**
 * Limits of the clients of a socket.
 *
 * @param connections open at a time; further ones wait in the system's queue
 * @param requestBytes of one request
 * @param heldBytes of all requests that are being read
 * @param time for a whole request, and again for a whole answer
 */
public record SocketLimits(int connections, int requestBytes, int heldBytes, Duration time) {
  /** Of the agent: a node starts at most some hundred pods at a time, each with a few kilobytes. */
  public static final SocketLimits DEFAULT =
      new SocketLimits(256, 1 << 20, 16 << 20, Duration.ofSeconds(30));
}
