package io.tidemark.emulator.ec2.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.emulator.ec2.imds.ImdsAnswer;
import io.tidemark.emulator.ec2.imds.ImdsRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The metadata service on a port of its own. Thread-safe. */
public final class ImdsFront implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ImdsFront.class);

  private final ImdsHandler handler;
  private final HttpServer server;

  private ImdsFront(ImdsHandler handler, HttpServer server) {
    this.handler = handler;
    this.server = server;
  }

  /**
   * Starts to listen.
   *
   * @param address port 0 for one of the system's choice
   * @throws IOException when the address cannot be listened on
   */
  public static ImdsFront start(ImdsHandler handler, Executor executor, InetSocketAddress address)
      throws IOException {
    HttpServer server = HttpServer.create(address, 0);
    ImdsFront front = new ImdsFront(handler, server);
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

  /** Stops to listen and breaks every connection. */
  @Override
  public void close() {
    server.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try {
      skipBody(exchange);
      String method = exchange.getRequestMethod();
      ImdsAnswer answer =
          handler.handle(
              new ImdsRequest(
                  method, exchange.getRequestURI().getPath(), first(exchange.getRequestHeaders())));
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.contentType());
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      boolean silent = method.equals("HEAD") || body.length == 0;
      exchange.sendResponseHeaders(answer.status(), silent ? -1 : body.length);
      if (!silent) {
        exchange.getResponseBody().write(body);
      }
    } catch (RuntimeException defect) {
      LOG.error("The metadata service failed to answer {}", exchange.getRequestURI(), defect);
      exchange.sendResponseHeaders(500, -1);
    } finally {
      exchange.close();
    }
  }

  /** No request has one that matters; what is left of a long one breaks the connection. */
  private static void skipBody(HttpExchange exchange) throws IOException {
    try (InputStream in = exchange.getRequestBody()) {
      in.skipNBytes(Math.min(in.available(), 1024));
    }
  }

  private static Map<String, String> first(Headers headers) {
    return headers.entrySet().stream()
        .filter(header -> !header.getValue().isEmpty())
        .collect(Collectors.toMap(Map.Entry::getKey, header -> header.getValue().get(0)));
  }
}
