package io.tidemark.operator.endpoint;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.time.NamedThreads;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * {@code /metrics}, {@code /healthz} and {@code /readyz} on a port of the loopback interface. Other
 * machines reach it through whatever the person puts in front.
 */
public final class Endpoints implements AutoCloseable {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int UNAVAILABLE = 503;
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final int BACKLOG = 16;

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(2, NamedThreads.of("endpoint"));

  private record Answer(int status, String contentType, String body) {
    static Answer of(boolean good, String yes, String no) {
      return new Answer(good ? OK : UNAVAILABLE, TEXT, (good ? yes : no) + "\n");
    }
  }

  private Endpoints(HttpServer server) {
    this.server = server;
  }

  /**
   * Answers from now on.
   *
   * @param port 0 takes any free one
   * @param healthy whether the program makes progress
   * @param ready whether nodes and cloud are known and the cloud may be changed
   * @throws IpamException with {@link CoreError#PORT_TAKEN}
   */
  public static Endpoints start(
      int port, Metering metering, BooleanSupplier healthy, BooleanSupplier ready) {
    Endpoints endpoints = new Endpoints(bound(port));
    endpoints.serve(
        "/metrics",
        () ->
            metering
                .scrape()
                .map(text -> new Answer(OK, Metering.CONTENT_TYPE, text))
                .orElse(new Answer(NOT_FOUND, TEXT, "metrics are off: enable-metrics is false\n")));
    endpoints.serve(
        "/healthz",
        () -> Answer.of(healthy.getAsBoolean(), "ok", "timer or lanes take no turns any more"));
    endpoints.serve(
        "/readyz",
        () ->
            Answer.of(
                ready.getAsBoolean(),
                "ready",
                "nodes or cloud were not read yet, or the cloud's API does not answer"));
    endpoints.serve("/", () -> new Answer(NOT_FOUND, TEXT, "/metrics /healthz /readyz\n"));
    endpoints.server.setExecutor(endpoints.threads);
    endpoints.server.start();
    return endpoints;
  }

  private static HttpServer bound(int port) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try {
      return HttpServer.create(address, BACKLOG);
    } catch (BindException e) {
      throw new IpamException(
          CoreError.PORT_TAKEN, "port " + port + " of " + address.getAddress() + " is taken", e);
    } catch (IOException e) {
      throw new IpamException(
          CoreError.PORT_TAKEN, "port " + port + " cannot be listened on: " + e.getMessage(), e);
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
