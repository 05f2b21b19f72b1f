package io.tidemark.operator.endpoint;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.time.NamedThreads;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * {@code /metrics}, {@code /healthz}, {@code /readyz} and {@code /status} over HTTP. One status at
 * a time is written, so that health is always answered.
 */
public final class Endpoints implements AutoCloseable {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int UNAVAILABLE = 503;
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";
  private static final int BACKLOG = 16;
  private static final int THREADS = 3;
  private static final int STATUS_BUFFER_BYTES = 1 << 16;

  private final HttpServer server;
  private final Probes probes;
  private final Semaphore statusTurn = new Semaphore(1);
  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, NamedThreads.of("endpoint"));

  private record Answer(int status, String contentType, String body) {
    /** Good without reasons. */
    static Answer of(String good, List<String> reasons) {
      return reasons.isEmpty()
          ? new Answer(OK, TEXT, good + "\n")
          : new Answer(UNAVAILABLE, TEXT, String.join("\n", reasons) + "\n");
    }
  }

  private Endpoints(HttpServer server, Probes probes) {
    this.server = server;
    this.probes = probes;
  }

  /**
   * Answers from now on.
   *
   * @param address the only one that is listened on, or the wildcard
   * @param port 0 takes any free one
   * @throws IpamException with {@link CoreError#PORT_TAKEN}
   */
  public static Endpoints start(InetAddress address, int port, Metering metering, Probes probes) {
    Endpoints endpoints = new Endpoints(bound(new InetSocketAddress(address, port)), probes);
    endpoints.serve(
        "/metrics",
        () ->
            metering
                .scrape()
                .map(text -> new Answer(OK, Metering.CONTENT_TYPE, text))
                .orElse(new Answer(NOT_FOUND, TEXT, "metrics are off: enable-metrics is false\n")));
    endpoints.serve("/healthz", () -> Answer.of("ok", probes.unhealthy()));
    endpoints.serve("/readyz", () -> Answer.of("ready", probes.unready()));
    endpoints.server.createContext("/status", endpoints::status);
    endpoints.serve("/", () -> new Answer(NOT_FOUND, TEXT, "/metrics /healthz /readyz /status\n"));
    endpoints.server.setExecutor(endpoints.threads);
    endpoints.server.start();
    return endpoints;
  }

  private static HttpServer bound(InetSocketAddress address) {
    String what = "port " + address.getPort() + " of " + address.getAddress();
    try {
      return HttpServer.create(address, BACKLOG);
    } catch (BindException e) {
      throw new IpamException(
          CoreError.PORT_TAKEN, what + " is taken, or not an address of this machine", e);
    } catch (IOException e) {
      throw new IpamException(
          CoreError.PORT_TAKEN, what + " cannot be listened on: " + e.getMessage(), e);
    }
  }

  /** The port that is listened on. */
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void serve(String path, Supplier<Answer> answer) {
    server.createContext(path, exchange -> handle(exchange, answer));
  }

  private void status(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals("GET")) {
      handle(exchange, () -> new Answer(METHOD_NOT_ALLOWED, TEXT, "GET only\n"));
    } else if (!statusTurn.tryAcquire()) {
      handle(exchange, () -> new Answer(UNAVAILABLE, TEXT, "another status is being written\n"));
    } else {
      try (exchange) {
        exchange.getResponseHeaders().set("Content-Type", JSON);
        exchange.sendResponseHeaders(OK, 0);
        try (OutputStream out =
            new BufferedOutputStream(exchange.getResponseBody(), STATUS_BUFFER_BYTES)) {
          probes.status(out);
        }
      } finally {
        statusTurn.release();
      }
    }
  }

  private static void handle(HttpExchange exchange, Supplier<Answer> supplier) throws IOException {
    try (exchange) {
      boolean head = exchange.getRequestMethod().equals("HEAD");
      Answer answer =
          head || exchange.getRequestMethod().equals("GET")
              ? supplier.get()
              : new Answer(METHOD_NOT_ALLOWED, TEXT, "GET and HEAD only\n");
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.contentType());
      exchange.sendResponseHeaders(answer.status(), head ? -1 : body.length);
      if (!head) {
        exchange.getResponseBody().write(body);
      }
    }
  }
}
