package io.tidemark.emulator.ec2.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.emulator.ec2.model.Reply;
import io.tidemark.time.TaskScheduler;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The emulator on a port. Requests are read and answers written on the given executor's threads;
 * latency is an entry in the scheduler, and an answer that never comes is a connection that nobody
 * holds. Thread-safe.
 */
public final class HttpFront implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpFront.class);
  private static final int BODY_BYTES_MAX = 1 << 22;

  /**
   * Lets the JDK's server send the head and the body of an answer at once. It is read once in a
   * JVM; without it every answer waits 40 ms for the client's acknowledgement of the head.
   */
  private static final String NO_DELAY = "sun.net.httpserver.nodelay";

  private final Ec2Handler handler;
  private final TaskScheduler scheduler;
  private final Executor executor;
  private final HttpServer server;
  private volatile @Nullable PlainDoor welcome;

  private HttpFront(
      Ec2Handler handler, TaskScheduler scheduler, Executor executor, HttpServer server) {
    this.handler = handler;
    this.scheduler = scheduler;
    this.executor = executor;
    this.server = server;
  }

  /**
   * Starts to listen.
   *
   * @param address port 0 for one of the system's choice
   * @throws IOException when the address cannot be listened on
   */
  public static HttpFront start(
      Ec2Handler handler, TaskScheduler scheduler, Executor executor, InetSocketAddress address)
      throws IOException {
    if (System.getProperty(NO_DELAY) == null) {
      System.setProperty(NO_DELAY, "true");
    }
    HttpServer server = HttpServer.create(address, 0);
    HttpFront front = new HttpFront(handler, scheduler, executor, server);
    server.setExecutor(executor);
    server.createContext("/", front::serve);
    server.start();
    return front;
  }

  /** Where clients reach it. */
  public URI endpoint() {
    InetSocketAddress address = server.getAddress();
    return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
  }

  /** Lets this machine, and nobody else, call {@code door} under {@code path}. */
  public void open(String path, PlainDoor door) {
    server.createContext(path, exchange -> serve(exchange, door));
  }

  /** Shows whoever asks for {@code /} without a request to EC2 what {@code door} answers. */
  public void welcome(PlainDoor door) {
    welcome = door;
  }

  private static void serve(HttpExchange exchange, PlainDoor door) throws IOException {
    try {
      Optional<String> body = body(exchange);
      Headers headers = exchange.getRequestHeaders();
      Optional<String> refusal =
          Gate.refusal(
              exchange.getRemoteAddress().getAddress(),
              Optional.ofNullable(headers.getFirst("Host")),
              Optional.ofNullable(headers.getFirst("Origin")));
      if (refusal.isPresent()) {
        send(exchange, new PlainResponse(403, "text/plain", refusal.get() + "\n"));
        return;
      }
      if (body.isEmpty()) {
        exchange.sendResponseHeaders(413, -1);
        return;
      }
      String query = Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), "");
      send(
          exchange,
          door.answer(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getPath(),
              body.get().isEmpty() ? query : body.get()));
    } finally {
      exchange.close();
    }
  }

  private static void send(HttpExchange exchange, PlainResponse response) throws IOException {
    byte[] bytes = response.body().getBytes(StandardCharsets.UTF_8);
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", response.contentType() + ";charset=UTF-8");
    headers.set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(response.status(), bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** Stops to listen and breaks every connection. */
  @Override
  public void close() {
    server.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    @Nullable PlainDoor page = welcome;
    if (page != null && isVisit(exchange)) {
      serve(exchange, page);
      return;
    }
    Optional<String> body = body(exchange);
    if (body.isEmpty()) {
      exchange.sendResponseHeaders(413, -1);
      exchange.close();
      return;
    }
    Response response =
        handler.handle(
            new Exchange(
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")),
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("X-Amz-Security-Token")),
                Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), ""),
                body.get()));
    if (response.latency().isZero()) {
      deliver(exchange, response);
    } else {
      scheduler.after(
          response.latency(), () -> executor.execute(() -> deliver(exchange, response)));
    }
  }

  /** No request to EC2 comes without parameters and without a signature. */
  private static boolean isVisit(HttpExchange exchange) {
    return exchange.getRequestMethod().equals("GET")
        && exchange.getRequestURI().getPath().equals("/")
        && exchange.getRequestURI().getRawQuery() == null
        && exchange.getRequestHeaders().getFirst("Authorization") == null;
  }

  private static void deliver(HttpExchange exchange, Response response) {
    if (response.delivery() == Reply.Delivery.NEVER) {
      return;
    }
    try {
      if (response.delivery() == Reply.Delivery.SENT) {
        send(exchange, response);
      }
    } catch (IOException e) {
      LOG.debug("A client did not wait for its answer", e);
    } finally {
      exchange.close();
    }
  }

  private static void send(HttpExchange exchange, Response response) throws IOException {
    byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", Response.CONTENT_TYPE);
    exchange.getResponseHeaders().set("x-amzn-RequestId", response.requestId());
    exchange.sendResponseHeaders(response.status(), body.length);
    exchange.getResponseBody().write(body);
  }

  /** Empty when it is too big. */
  private static Optional<String> body(HttpExchange exchange) throws IOException {
    try (InputStream in = exchange.getRequestBody()) {
      byte[] bytes = in.readNBytes(BODY_BYTES_MAX + 1);
      return bytes.length > BODY_BYTES_MAX
          ? Optional.empty()
          : Optional.of(new String(bytes, StandardCharsets.UTF_8));
    }
  }
}
