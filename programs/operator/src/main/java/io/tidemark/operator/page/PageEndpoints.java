package io.tidemark.operator.page;

import io.tidemark.http.HttpHandler;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Where the page is served: {@code /}, the files that it names, and {@code /events}. */
public final class PageEndpoints {
  private static final int OK = 200;
  static final String EVENTS = "text/event-stream; charset=utf-8";

  /** The page loads what this port serves, and nothing else; no other page may frame it. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private PageEndpoints() {}

  /**
   * The page.
   *
   * @param events answers {@code /events} to a {@code GET}
   * @return handlers by path, for {@code GET} and {@code HEAD}
   */
  public static Map<String, HttpHandler> of(Function<HttpRequest, HttpResponse> events) {
    Map<String, HttpHandler> pages = new LinkedHashMap<>();
    pages.put("/", file("page.html", "text/html"));
    pages.put("/page.css", file("page.css", "text/css"));
    for (String script : List.of("page.js", "model.js", "list.js")) {
      pages.put("/" + script, file(script, "text/javascript"));
    }
    pages.put("/page.svg", file("page.svg", "image/svg+xml"));
    HttpResponse head = HttpResponse.of(OK, EVENTS, "");
    pages.put(
        "/events",
        (request, reply) ->
            reply.send(secured(request.method().equals("HEAD") ? head : events.apply(request))));
    return Collections.unmodifiableMap(pages);
  }

  private static HttpHandler file(String name, String type) {
    HttpResponse response = secured(HttpResponse.of(OK, type + "; charset=utf-8", text(name)));
    return (request, reply) -> reply.send(response);
  }

  private static HttpResponse secured(HttpResponse response) {
    return response
        .with("Content-Security-Policy", POLICY)
        .with("X-Content-Type-Options", "nosniff")
        .with("Referrer-Policy", "no-referrer")
        .with("Cache-Control", "no-store");
  }

  private static String text(String name) {
    try (InputStream file =
        Objects.requireNonNull(PageEndpoints.class.getResourceAsStream(name), name)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
