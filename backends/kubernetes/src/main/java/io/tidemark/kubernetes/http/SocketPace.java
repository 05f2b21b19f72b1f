package io.tidemark.kubernetes.http;

import java.time.Duration;

/**
 * When a WebSocket is asked for a sign of life.
 *
 * @param look from one look at a socket to the next; a ping follows each message, and an unanswered
 *     one, by at most this
 * @param calm from one ping to the next where nothing is said; at least {@code look}
 * @param patience how long a ping may stay unanswered
 */
public record SocketPace(Duration look, Duration calm, Duration patience) {
  /** A dead connection is noticed within six seconds of a message, or sixteen in silence. */
  public static final SocketPace USUAL =
      new SocketPace(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(5));
}
