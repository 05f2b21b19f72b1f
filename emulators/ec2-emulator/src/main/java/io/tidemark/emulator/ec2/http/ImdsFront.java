package io.tidemark.emulator.ec2.http;

import io.tidemark.emulator.ec2.imds.ImdsAnswer;
import io.tidemark.emulator.ec2.imds.ImdsRequest;
import io.tidemark.http.HttpListener;
import io.tidemark.http.HttpReply;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;

/** The metadata service on its own port. Thread-safe. */
public final class ImdsFront implements AutoCloseable {
  /** No request has a body that matters. */
  private static final int BODY_BYTES_MAX = 1 << 10;

  private final ImdsHandler handler;
  private final HttpListener listener;

  private ImdsFront(ImdsHandler handler, InetSocketAddress address) throws IOException {
    this.handler = handler;
    this.listener =
        HttpListener.start(
            "ec2-emulator-imds",
            address,
            Ec2HttpFront.LIMITS.withBodyBytes(BODY_BYTES_MAX),
            this::serve);
  }

  /**
   * Starts to listen.
   *
   * @param address port 0 for one of the system's choice
   * @throws IOException when the address cannot be listened on
   */
  public static ImdsFront start(ImdsHandler handler, InetSocketAddress address) throws IOException {
    return new ImdsFront(handler, address);
  }

  /** Where clients reach it. */
  public URI endpoint() {
    return listener.endpoint();
  }

  /** Stops to listen and breaks every connection. */
  @Override
  public void close() {
    listener.close();
  }

  private void serve(HttpRequest request, HttpReply reply) {
    ImdsAnswer answer =
        handler.handle(new ImdsRequest(request.method(), request.path(), request.headers()));
    HttpResponse response = HttpResponse.of(answer.status(), answer.contentType(), answer.body());
    for (Map.Entry<String, String> header : answer.headers().entrySet()) {
      response = response.with(header.getKey(), header.getValue());
    }
    reply.send(response);
  }
}
