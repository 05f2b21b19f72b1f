package io.tidemark.http;

import java.time.Duration;

/**
 * The limits of an {@link HttpListener} for its clients. Immutable.
 *
 * @param connections open at once, of all peers together; 1 or more
 * @param connectionsPerPeer open at once of one peer: an IPv4 address, or an IPv6 /64; 1 or more
 * @param headBytes of the request line and the headers together; a longer request line is answered
 *     with 414, longer headers with 431
 * @param bodyBytes of a request's body; a longer one is answered with 413; zero or more
 * @param idle between an answer and the first byte of the next request on the same connection
 * @param request between the first byte of a request, or the opening of its connection, and the
 *     last byte of its body
 * @param answer between the last byte of a request and the last byte of its answer; of a {@link
 *     HttpResponse.Feed} for each piece
 * @param drain that {@link HttpListener#close} waits for requests that are being answered
 */
public record HttpLimits(
    int connections,
    int connectionsPerPeer,
    int headBytes,
    int bodyBytes,
    Duration idle,
    Duration request,
    Duration answer,
    Duration drain) {
  public HttpLimits {
    require(connections >= 1, "connections", connections, "1 or more");
    require(connectionsPerPeer >= 1, "connectionsPerPeer", connectionsPerPeer, "1 or more");
    require(headBytes >= 1, "headBytes", headBytes, "1 or more");
    require(bodyBytes >= 0, "bodyBytes", bodyBytes, "0 or more");
    requirePositive("idle", idle);
    requirePositive("request", request);
    requirePositive("answer", answer);
    require(!drain.isNegative(), "drain", drain, "0 or more");
  }

  /** The same with another bound of a request's body. */
  public HttpLimits withBodyBytes(int bytes) {
    return new HttpLimits(
        connections, connectionsPerPeer, headBytes, bytes, idle, request, answer, drain);
  }

  /** The same with other time-outs. */
  public HttpLimits withTimeouts(Duration newIdle, Duration newRequest, Duration newAnswer) {
    return new HttpLimits(
        connections,
        connectionsPerPeer,
        headBytes,
        bodyBytes,
        newIdle,
        newRequest,
        newAnswer,
        drain);
  }

  private static void requirePositive(String name, Duration value) {
    require(!value.isNegative() && !value.isZero(), name, value, "above 0");
  }

  private static void require(boolean holds, String name, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + "; expected " + expected);
    }
  }
}
