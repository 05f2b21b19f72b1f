package io.tidemark.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A response. For {@code HEAD} the listener sends only status and headers, so a handler treats it
 * like {@code GET}. Immutable.
 *
 * @param status 200 to 599
 * @param headers without those of the framing, which the listener sets
 * @param body text, or a body that writes itself or is sent piece by piece
 */
public record HttpResponse(int status, Map<String, String> headers, Body body) {
  private static final String CONTENT_TYPE = "Content-Type";

  /** The content of a response. */
  public sealed interface Body permits Text, Stream, Feed {}

  /** Sent at once, without a thread that waits for the reader. */
  public record Text(String text) implements Body {
    byte[] bytes() {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }

  /**
   * Writes itself while it is sent, in bounded memory; holds one thread of the listener until the
   * reader has taken it. Not called for a {@code HEAD}.
   */
  public non-sealed interface Stream extends Body {
    /**
     * Writes all of it; flushing and closing are the listener's.
     *
     * @throws IOException if the client disconnected or too slow
     */
    void write(OutputStream out) throws IOException;
  }

  /**
   * Sent piece by piece for as long as both sides want, without a thread that waits: the next piece
   * is asked for when the client has taken the one before. Its calls never overlap. Not called for
   * a {@code HEAD}.
   */
  public non-sealed interface Feed extends Body {
    /** Completes when there is a next piece; before {@link HttpLimits#answer} is over. */
    CompletionStage<?> ready();

    /** The next piece, made after {@link #ready} on a thread of the listener; empty at the end. */
    Optional<String> next();

    /** The client is gone, or the response has ended. Not called when the listener closes. */
    void ended();
  }

  /** With this text as its body, in UTF-8. */
  public static HttpResponse of(int status, String contentType, String text) {
    return new HttpResponse(status, Map.of(CONTENT_TYPE, contentType), new Text(text));
  }

  /** With a body that writes itself. */
  public static HttpResponse of(int status, String contentType, Stream body) {
    return new HttpResponse(status, Map.of(CONTENT_TYPE, contentType), body);
  }

  /** With a body that is sent piece by piece. */
  public static HttpResponse of(int status, String contentType, Feed body) {
    return new HttpResponse(status, Map.of(CONTENT_TYPE, contentType), body);
  }

  /** The same with one more header. */
  public HttpResponse with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new HttpResponse(status, more, body);
  }
}
