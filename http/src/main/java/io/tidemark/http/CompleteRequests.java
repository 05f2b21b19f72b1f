package io.tidemark.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands a request to the handler when its last byte is there. Thread-safe. */
final class CompleteRequests extends Handler.Abstract {
  private static final Logger LOG = LoggerFactory.getLogger(CompleteRequests.class);
  private static final String TEXT = "text/plain; charset=utf-8";

  private final HttpHandler handler;
  private final int bodyBytesMax;
  private final OpenConnections connections;

  CompleteRequests(HttpHandler handler, int bodyBytesMax, OpenConnections connections) {
    this.handler = handler;
    this.bodyBytesMax = bodyBytesMax;
    this.connections = connections;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    new BodyReader(
            request,
            bodyBytesMax,
            new BodyReader.Outcome() {
              @Override
              public void complete(byte[] body) {
                answer(request, body, new JettyReply(request, response, callback, connections));
              }

              @Override
              public void tooLong() {
                refuse(
                    HttpStatus.PAYLOAD_TOO_LARGE_413,
                    "the body is longer than " + bodyBytesMax + " bytes\n");
              }

              @Override
              public void failed(Throwable cause) {
                if (cause instanceof HttpException) {
                  refuse(HttpStatus.BAD_REQUEST_400, "the body is malformed\n");
                } else {
                  callback.failed(new EofException(cause));
                }
              }

              private void refuse(int status, String why) {
                connections.handling(connection(request));
                new JettyReply(request, response, callback, connections)
                    .send(HttpResponse.of(status, TEXT, why).with("Connection", "close"));
              }
            })
        .run();
    return true;
  }

  private void answer(Request request, byte[] body, HttpReply reply) {
    Connection connection = connection(request);
    connections.handling(connection);
    try {
      handler.handle(complete(request, body), reply);
    } catch (RuntimeException defect) {
      LOG.error(
          "No response to {} {}", request.getMethod(), request.getHttpURI().getPath(), defect);
      reply.send(
          HttpResponse.of(
              HttpStatus.INTERNAL_SERVER_ERROR_500, TEXT, "internal error; see the log\n"));
    } finally {
      connections.returned(connection);
    }
  }

  static Connection connection(Request request) {
    return request.getConnectionMetaData().getConnection();
  }

  private static HttpRequest complete(Request request, byte[] body) {
    Map<String, String> headers = new HashMap<>();
    for (HttpField field : request.getHeaders()) {
      headers.putIfAbsent(
          field.getName().toLowerCase(Locale.ROOT),
          Objects.requireNonNullElse(field.getValue(), ""));
    }
    return new HttpRequest(
        request.getMethod(),
        Objects.requireNonNullElse(request.getHttpURI().getDecodedPath(), "/"),
        Objects.requireNonNullElse(request.getHttpURI().getQuery(), ""),
        headers,
        peer(request),
        new String(body, StandardCharsets.UTF_8));
  }

  private static InetAddress peer(Request request) {
    return request.getConnectionMetaData().getRemoteSocketAddress()
            instanceof InetSocketAddress network
        ? network.getAddress()
        : InetAddress.getLoopbackAddress();
  }
}
