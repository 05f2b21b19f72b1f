package io.tidemark.http;

import java.time.Duration;

/**
 * The limits of an {@link HttpListener} for its clients. Immutable.
 *
 * @param connections open at once; 1 or more. More wait, and idle ones are closed for them soon
 * @param headBytes of the request line and the headers together; a longer request line is answered
 *     with 414, longer headers with 431
 * @param bodyBytes of a request's body; a longer one is answered with 413; zero or more
 * @param idle without a byte in either direction, while no handler is waited for
 * @param request between the opening of a connection and the last byte of its first request; {@code
 *     idle} more between an answer and the last byte of the next request
 * @param answer between the last byte of a request and the last byte of its answer; of a {@link
 *     HttpResponse.Feed} for each piece
 * @param drain that {@link HttpListener#close} waits for requests that are being answered
 */
public record HttpLimits(
    int connections,
    int headBytes,
    int bodyBytes,
    Duration idle,
    Duration request,
    Duration answer,
    Duration drain) {
  /** The same with another bound of a request's body. */
  public HttpLimits withBodyBytes(int bytes) {
    return new HttpLimits(connections, headBytes, bytes, idle, request, answer, drain);
  }
}
