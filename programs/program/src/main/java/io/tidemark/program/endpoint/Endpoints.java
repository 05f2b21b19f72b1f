package io.tidemark.program.endpoint;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.http.HttpHandler;
import io.tidemark.http.HttpLimits;
import io.tidemark.http.HttpListener;
import io.tidemark.http.HttpReply;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * The program's state over HTTP, each page to {@code GET} and {@code HEAD}: {@code /healthz} and
 * {@code /readyz}, and either {@code /metrics} and {@code /status} or documents of the program's
 * own. One status at a time is written, and slow clients hold no thread, so that health is always
 * answered.
 */
public final class Endpoints implements AutoCloseable {
  static final HttpLimits LIMITS =
      new HttpLimits(
          256,
          8 << 10,
          8 << 10,
          Duration.ofSeconds(75),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(1));

  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int UNAVAILABLE = 503;
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";
  private static final String ALLOWED = "GET, HEAD";

  private final Map<String, HttpHandler> pages;
  private final HttpListener listener;

  /**
   * Listens.
   *
   * @param pages by their paths, in the order in which they are listed
   */
  private Endpoints(SocketAddress address, Map<String, HttpHandler> pages) throws IOException {
    this.pages = pages;
    this.listener = HttpListener.start("endpoint", address, LIMITS, this::answer);
  }

  /** Starts the listener of metrics, health and status, without other pages. */
  public static Endpoints start(InetAddress address, int port, Metering metering, Probes probes) {
    return start(address, port, metering, probes, Map.of());
  }

  /**
   * Starts the listener of metrics, health and status.
   *
   * @param address the address to listen on, or the wildcard
   * @param port 0 takes any free one
   * @param more handlers by path, for {@code GET} and {@code HEAD}
   * @throws IpamException with {@link CoreError#PORT_TAKEN}
   */
  public static Endpoints start(
      InetAddress address,
      int port,
      Metering metering,
      Probes probes,
      Map<String, HttpHandler> more) {
    Map<String, HttpHandler> pages = new LinkedHashMap<>();
    pages.put("/metrics", (request, reply) -> reply.send(metrics(metering)));
    addHealth(pages, probes);
    Semaphore turn = new Semaphore(1);
    pages.put("/status", (request, reply) -> status(request, reply, probes, turn));
    pages.putAll(more);
    return start(new InetSocketAddress(address, port), pages);
  }

  /**
   * Starts a listener of documents and health.
   *
   * @param address the address to listen on, or the wildcard, where port 0 takes any free one; or a
   *     Unix socket whose file does not exist
   * @param documents JSON by path, in the order in which they are listed; each is made when it is
   *     asked for, on a thread of the listener, and never blocks
   * @throws IpamException with {@link CoreError#PORT_TAKEN}
   */
  public static Endpoints start(
      SocketAddress address, Probes probes, Map<String, Supplier<String>> documents) {
    Map<String, HttpHandler> pages = new LinkedHashMap<>();
    documents.forEach(
        (path, document) ->
            pages.put(
                path, (request, reply) -> reply.send(HttpResponse.of(OK, JSON, document.get()))));
    addHealth(pages, probes);
    return start(address, pages);
  }

  /**
   * Starts a listener of these pages alone.
   *
   * @param port 0 takes any free one
   * @param pages handlers by path, for {@code GET} and {@code HEAD}
   * @throws IpamException with {@link CoreError#PORT_TAKEN}
   */
  public static Endpoints start(InetAddress address, int port, Map<String, HttpHandler> pages) {
    return start(new InetSocketAddress(address, port), pages);
  }

  private static void addHealth(Map<String, HttpHandler> pages, Probes probes) {
    pages.put("/healthz", (request, reply) -> reply.send(probe("ok", probes.unhealthy())));
    pages.put("/readyz", (request, reply) -> reply.send(probe("ready", probes.unready())));
  }

  private static Endpoints start(SocketAddress address, Map<String, HttpHandler> pages) {
    String what =
        address instanceof InetSocketAddress network
            ? "port " + network.getPort() + " of " + network.getAddress()
            : address.toString();
    try {
      return new Endpoints(address, pages);
    } catch (BindException e) {
      throw new IpamException(
          CoreError.PORT_TAKEN, what + " is taken, or not an address of this machine", e);
    } catch (IOException e) {
      throw new IpamException(
          CoreError.PORT_TAKEN, what + " cannot be listened on: " + e.getMessage(), e);
    }
  }

  /** The port that is listened on; -1 on a Unix socket. */
  public int port() {
    return listener.port();
  }

  @Override
  public void close() {
    listener.close();
  }

  private void answer(HttpRequest request, HttpReply reply) {
    HttpHandler page = pages.get(request.path());
    if (!isHead(request) && !request.method().equals("GET")) {
      reply.send(
          HttpResponse.of(METHOD_NOT_ALLOWED, TEXT, "GET and HEAD only\n").with("Allow", ALLOWED));
    } else if (page == null) {
      reply.send(HttpResponse.of(NOT_FOUND, TEXT, String.join(" ", pages.keySet()) + "\n"));
    } else {
      page.handle(request, reply);
    }
  }

  private static boolean isHead(HttpRequest request) {
    return request.method().equals("HEAD");
  }

  /** Good without reasons. */
  private static HttpResponse probe(String good, List<String> reasons) {
    return reasons.isEmpty()
        ? HttpResponse.of(OK, TEXT, good + "\n")
        : HttpResponse.of(UNAVAILABLE, TEXT, String.join("\n", reasons) + "\n");
  }

  private static HttpResponse metrics(Metering metering) {
    return metering
        .scrape()
        .map(text -> HttpResponse.of(OK, Metering.CONTENT_TYPE, text))
        .orElseGet(
            () -> HttpResponse.of(NOT_FOUND, TEXT, "metrics are off: enable-metrics is false\n"));
  }

  private static void status(HttpRequest request, HttpReply reply, Probes probes, Semaphore turn) {
    HttpResponse response = HttpResponse.of(OK, JSON, probes::status);
    if (isHead(request)) {
      reply.send(response);
    } else if (!turn.tryAcquire()) {
      reply.send(HttpResponse.of(UNAVAILABLE, TEXT, "another status is being written\n"));
    } else {
      try {
        reply.send(response);
      } finally {
        turn.release();
      }
    }
  }
}
