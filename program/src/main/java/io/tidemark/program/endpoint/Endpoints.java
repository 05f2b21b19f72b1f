package io.tidemark.program.endpoint;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.http.HttpLimits;
import io.tidemark.http.HttpListener;
import io.tidemark.http.HttpReply;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * {@code /metrics}, {@code /healthz}, {@code /readyz} and {@code /status} over HTTP, each to {@code
 * GET} and {@code HEAD}. One status at a time is written, and slow clients hold no thread, so that
 * health is always answered.
 */
public final class Endpoints implements AutoCloseable {
  /**
   * The kubelet and programs on the network of its host use one address, and so do clients behind a
   * NAT: 64 connections are more than they need at once.
   */
  static final HttpLimits LIMITS =
      new HttpLimits(
          256,
          64,
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

  private final Metering metering;
  private final Probes probes;
  private final Semaphore statusTurn = new Semaphore(1);
  private final HttpListener listener;

  private Endpoints(InetSocketAddress address, Metering metering, Probes probes)
      throws IOException {
    this.metering = metering;
    this.probes = probes;
    this.listener =
        HttpListener.start("endpoint", address, LIMITS, SystemTime.instance(), this::answer);
  }

  /**
   * Starts the listener.
   *
   * @param address the address to listen on, or the wildcard
   * @param port 0 takes any free one
   * @throws IpamException with {@link CoreError#PORT_TAKEN}
   */
  public static Endpoints start(InetAddress address, int port, Metering metering, Probes probes) {
    String what = "port " + port + " of " + address;
    try {
      return new Endpoints(new InetSocketAddress(address, port), metering, probes);
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
    return listener.port();
  }

  @Override
  public void close() {
    listener.close();
  }

  private void answer(HttpRequest request, HttpReply reply) {
    boolean head = request.method().equals("HEAD");
    if (!head && !request.method().equals("GET")) {
      reply.send(
          HttpResponse.of(METHOD_NOT_ALLOWED, TEXT, "GET and HEAD only\n").with("Allow", ALLOWED));
      return;
    }
    switch (request.path()) {
      case "/healthz" -> reply.send(probe("ok", probes.unhealthy()));
      case "/readyz" -> reply.send(probe("ready", probes.unready()));
      case "/metrics" -> reply.send(metrics());
      case "/status" -> status(head, reply);
      default ->
          reply.send(HttpResponse.of(NOT_FOUND, TEXT, "/metrics /healthz /readyz /status\n"));
    }
  }

  /** Good without reasons. */
  private static HttpResponse probe(String good, List<String> reasons) {
    return reasons.isEmpty()
        ? HttpResponse.of(OK, TEXT, good + "\n")
        : HttpResponse.of(UNAVAILABLE, TEXT, String.join("\n", reasons) + "\n");
  }

  private HttpResponse metrics() {
    return metering
        .scrape()
        .map(text -> HttpResponse.of(OK, Metering.CONTENT_TYPE, text))
        .orElseGet(
            () -> HttpResponse.of(NOT_FOUND, TEXT, "metrics are off: enable-metrics is false\n"));
  }

  private void status(boolean head, HttpReply reply) {
    HttpResponse response = HttpResponse.of(OK, JSON, probes::status);
    if (head) {
      reply.send(response);
    } else if (!statusTurn.tryAcquire()) {
      reply.send(HttpResponse.of(UNAVAILABLE, TEXT, "another status is being written\n"));
    } else {
      try {
        reply.send(response);
      } finally {
        statusTurn.release();
      }
    }
  }
}
