package io.tidemark.provider.azure.network;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * The response to an accepted write (Z17).
 *
 * @param operation where to ask whether it has ended; empty when no header of this endpoint names
 *     it
 * @param byResult whether that address answers 202 until the end and then with the resource
 * @param ended whether there is nothing to wait for
 * @param retryAfter the pause that Azure asked for
 * @param foreign whether a header named an address of another host, which is not called
 */
public record Written(
    Optional<URI> operation,
    boolean byResult,
    boolean ended,
    Optional<Duration> retryAfter,
    boolean foreign) {
  /** A write that was accepted, of which only the resource itself tells whether it has ended. */
  public static Written unnamed() {
    return new Written(Optional.empty(), false, false, Optional.empty(), false);
  }
}
