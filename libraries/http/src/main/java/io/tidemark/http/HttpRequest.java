package io.tidemark.http;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One complete request. Immutable.
 *
 * @param method as it was sent: {@code GET}
 * @param path decoded, without the query; begins with a slash
 * @param query the part after the question mark, encoded; empty when there is none
 * @param headers by their names in lower case; of a repeated header the first value
 * @param peer the address that the connection comes from; the loopback address on a Unix socket
 * @param body as UTF-8; empty when there is none
 */
public record HttpRequest(
    String method,
    String path,
    String query,
    Map<String, String> headers,
    InetAddress peer,
    String body) {
  /** The value of this header, whose name may be in upper or lower case. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }
}
