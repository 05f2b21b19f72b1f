package io.tidemark.emulator.kit.http;

import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import java.util.Optional;

/**
 * The calls of programs of this machine in addition to the EC2 protocol: the administration under
 * its path, and the page at {@code /}. Thread-safe.
 *
 * @param path of the administration
 * @param administration serves paths that begin with it
 * @param welcome serves {@code /} without a request to EC2
 */
public record LocalPages(String path, Door administration, Door welcome) {
  /** Serves requests outside the protocol; called on any thread. */
  @FunctionalInterface
  public interface Door {
    /**
     * The response to this request.
     *
     * @param form the body, or the query without a body
     */
    HttpResponse answer(String method, String path, String form);
  }

  public boolean isOne(HttpRequest request) {
    return isAdministration(request) || isVisit(request);
  }

  private boolean isAdministration(HttpRequest request) {
    return request.path().startsWith(path);
  }

  /** Every request to EC2 has parameters or a signature. */
  private static boolean isVisit(HttpRequest request) {
    return (request.method().equals("GET") || request.method().equals("HEAD"))
        && request.path().equals("/")
        && request.query().isEmpty()
        && request.header("Authorization").isEmpty();
  }

  public HttpResponse answer(HttpRequest request) {
    Optional<String> refusal =
        Gate.refusal(request.peer(), request.header("Host"), request.header("Origin"));
    if (refusal.isPresent()) {
      return page(HttpResponse.of(403, "text/plain;charset=UTF-8", refusal.get() + "\n"));
    }
    Door door = isAdministration(request) ? administration : welcome;
    String method = request.method().equals("HEAD") ? "GET" : request.method();
    return page(
        door.answer(
            method, request.path(), request.body().isEmpty() ? request.query() : request.body()));
  }

  private static HttpResponse page(HttpResponse response) {
    return response
        .with("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
        .with("X-Content-Type-Options", "nosniff")
        .with("Cache-Control", "no-store");
  }
}
