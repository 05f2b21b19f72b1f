package io.tidemark.emulator.arm.http;

import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmReply.Delivery;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.kit.http.LocalPages;
import io.tidemark.http.HttpLimits;
import io.tidemark.http.HttpListener;
import io.tidemark.http.HttpReply;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.time.TaskScheduler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * The emulator on a port: Resource Manager, token endpoint, metadata service, and the
 * administration for programs of this machine. Latency is an entry in the scheduler, and a response
 * that never arrives is a connection without a thread. Thread-safe.
 */
public final class ArmHttpFront implements AutoCloseable {
  private static final HttpLimits LIMITS =
      new HttpLimits(
          1024,
          32 << 10,
          1 << 22,
          Duration.ofMinutes(2),
          Duration.ofSeconds(20),
          Duration.ofMinutes(5),
          Duration.ZERO);

  private final ArmHandler handler;
  private final Identity identity;
  private final TaskScheduler scheduler;
  private final LocalPages pages;
  private final HttpListener listener;

  /**
   * Starts to listen.
   *
   * @param address port 0 for one of the system's choice
   * @throws IOException when the address cannot be listened on
   */
  public ArmHttpFront(
      ArmHandler handler,
      Identity identity,
      TaskScheduler scheduler,
      LocalPages pages,
      InetSocketAddress address)
      throws IOException {
    this.handler = handler;
    this.identity = identity;
    this.scheduler = scheduler;
    this.pages = pages;
    this.listener = HttpListener.start("arm-emulator", address, LIMITS, this::serve);
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
    if (pages.isOne(request)) {
      reply.send(pages.answer(request));
      return;
    }
    ArmReply answer = answer(request);
    if (answer.latency().isZero()) {
      deliver(answer, reply);
    } else {
      scheduler.after(answer.latency(), () -> deliver(answer, reply));
    }
  }

  private ArmReply answer(HttpRequest request) {
    Map<String, String> query = ArmRequest.parameters(request.query());
    String origin = "http://" + request.header("Host").orElse(endpoint().getAuthority());
    if (Identity.isDiscovery(request.path())) {
      return Identity.discovery(origin, request.path());
    }
    if (Identity.isOne(request.path())) {
      boolean metadata = request.header("Metadata").filter("true"::equals).isPresent();
      return identity.answer(request.method(), request.path(), query, metadata, request.body());
    }
    return handler.handle(
        new ArmRequest(
            request.method(),
            origin,
            request.path(),
            query,
            request.header("Authorization"),
            request.header("If-Match"),
            request.header("If-None-Match"),
            DocumentJson.read(request.body())));
  }

  private static void deliver(ArmReply answer, HttpReply reply) {
    if (answer.delivery() == Delivery.LOST) {
      reply.breakOff();
    } else if (answer.delivery() == Delivery.SENT) {
      HttpResponse response =
          HttpResponse.of(answer.status(), "application/json; charset=utf-8", answer.body());
      for (Map.Entry<String, String> each : answer.headers().entrySet()) {
        response = response.with(each.getKey(), each.getValue());
      }
      reply.send(response);
    }
  }
}
