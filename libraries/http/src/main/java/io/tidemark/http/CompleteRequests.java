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
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands a request to the handler when its last byte is there. Thread-safe. */
final class CompleteRequests extends Handler.Abstract {
  private static final Logger LOG = LoggerFactory.getLogger(CompleteRequests.class);
  private static final String TEXT = "text/plain; charset=utf-8";

  /** The size of a body is limited before it is read here. */
  private static final int NO_LIMIT = -1;

  private final HttpHandler handler;

  CompleteRequests(HttpHandler handler) {
    this.handler = handler;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    request.addIdleTimeoutListener(
        idle -> {
          if (request.getConnectionMetaData().getConnector().isShutdown()) {
            Deadline.of(request).stopping();
          }
          return false;
        });
    Content.Source.asByteArrayAsync(
        request,
        NO_LIMIT,
        new Promise.Invocable<>() {
          @Override
          public void succeeded(byte[] body) {
            answer(request, body, new JettyReply(request, response, callback));
          }

          @Override
          public void failed(Throwable cause) {
            if (cause instanceof HttpException) {
              Response.writeError(request, response, callback, cause);
            } else {
              callback.failed(new EofException(cause));
            }
          }
        });
    return true;
  }

  private void answer(Request request, byte[] body, JettyReply reply) {
    try {
      handler.handle(complete(request, body), reply);
    } catch (RuntimeException defect) {
      LOG.error(
          "No response to {} {}", request.getMethod(), request.getHttpURI().getPath(), defect);
      reply.send(
          HttpResponse.of(
              HttpStatus.INTERNAL_SERVER_ERROR_500, TEXT, "internal error; see the log\n"));
    } finally {
      reply.handlerReturned();
    }
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
