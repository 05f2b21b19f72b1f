package io.tidemark.emulator.kit.http;

import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The calls of programs of this machine in addition to an emulator's protocol: the administration
 * under its path, and the page at {@code /}. Thread-safe.
 *
 * @param administration serves paths that begin with {@link #PATH}
 * @param welcome serves {@code /} without a request of the protocol
 */
public record LocalPages(Door administration, Supplier<HttpResponse> welcome) {
  /** Of the administration; no request of a protocol has it. */
  public static final String PATH = "/_tidemark/";

  private static final Pattern LOOPBACK =
      Pattern.compile(
          "(localhost|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1\\])(:[0-9]{1,5})?");

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
    return request.path().startsWith(PATH);
  }

  /** Every request of a protocol has parameters or a signature. */
  private static boolean isVisit(HttpRequest request) {
    return (request.method().equals("GET") || request.method().equals("HEAD"))
        && request.path().equals("/")
        && request.query().isEmpty()
        && request.header("Authorization").isEmpty();
  }

  public HttpResponse answer(HttpRequest request) {
    Optional<String> refusal =
        refusal(request.peer(), request.header("Host"), request.header("Origin"));
    if (refusal.isPresent()) {
      return page(HttpResponse.of(403, "text/plain;charset=UTF-8", refusal.get() + "\n"));
    }
    String method = request.method().equals("HEAD") ? "GET" : request.method();
    String form = request.body().isEmpty() ? request.query() : request.body();
    return page(
        isAdministration(request)
            ? administration.answer(method, request.path(), form)
            : welcome.get());
  }

  private static HttpResponse page(HttpResponse response) {
    return response
        .with("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
        .with("X-Content-Type-Options", "nosniff")
        .with("Cache-Control", "no-store");
  }

  /**
   * Why a request is turned away; empty when it may come in. Programs of this machine may, and
   * pages that came from the emulator itself: a foreign page in a browser of this machine comes
   * with its own {@code Origin}, or, when its name was bound to this machine's address, with its
   * own {@code Host}.
   *
   * @param remote the address that it came from
   * @param host its header of that name
   * @param origin its header of that name, which browsers send
   */
  static Optional<String> refusal(
      InetAddress remote, Optional<String> host, Optional<String> origin) {
    if (!remote.isLoopbackAddress()) {
      return Optional.of("This answers programs of its own machine only; call it from there.");
    }
    if (host.filter(name -> LOOPBACK.matcher(name).matches()).isEmpty()) {
      return Optional.of(
          "The Host header is not a name of this machine; use localhost or 127.0.0.1.");
    }
    if (origin.isPresent() && !origin.get().equals("http://" + host.get())) {
      return Optional.of("The request comes from a page of another origin; send it without one.");
    }
    return Optional.empty();
  }
}
