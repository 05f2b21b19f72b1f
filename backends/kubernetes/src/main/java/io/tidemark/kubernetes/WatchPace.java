package io.tidemark.kubernetes;

import io.tidemark.kubernetes.http.SocketPace;
import java.time.Duration;

/**
 * The expected signs of life of watches. The API server tells the present version about once a
 * minute, even where nothing changes.
 *
 * @param sockets of the connections below
 * @param look from one look at all watches to the next
 * @param silence after so long without a word a watch is opened again
 * @param closed so long may a watch be closed before that is a problem
 * @param deadline after so long without a sign of life it is one in any case; above {@code silence}
 * @param list so long after a list the objects are listed again, since no watch tells that the
 *     server was restored to another state
 */
public record WatchPace(
    SocketPace sockets,
    Duration look,
    Duration silence,
    Duration closed,
    Duration deadline,
    Duration list) {
  /** Two missed words of the server, and a minute to come back. */
  public static final WatchPace USUAL =
      new WatchPace(
          SocketPace.USUAL,
          Duration.ofSeconds(5),
          Duration.ofSeconds(130),
          Duration.ofSeconds(30),
          Duration.ofSeconds(190),
          Duration.ofMinutes(10));

  /** The same, but nothing is listed again as long as its watch lasts. */
  WatchPace withoutLists() {
    return new WatchPace(
        sockets, look, silence, closed, deadline, Duration.ofNanos(Long.MAX_VALUE));
  }
}
