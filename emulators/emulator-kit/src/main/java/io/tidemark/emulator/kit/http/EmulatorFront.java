package io.tidemark.emulator.kit.http;

import io.tidemark.emulator.kit.pace.Delivery;
import io.tidemark.http.HttpLimits;
import io.tidemark.http.HttpListener;
import io.tidemark.http.HttpReply;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.function.BiFunction;

/**
 * An emulator on a port of this machine's loopback address: its protocol, and the pages for
 * programs of this machine. Latency is an entry in a scheduler, and a response that never arrives
 * is a connection without a thread. Thread-safe.
 */
public final class EmulatorFront implements AutoCloseable {
  /** For every client of an emulator. */
  public static final HttpLimits LIMITS =
      new HttpLimits(
          1024,
          32 << 10,
          1 << 22,
          Duration.ofMinutes(2),
          Duration.ofSeconds(20),
          Duration.ofMinutes(5),
          Duration.ZERO);

  /** A response, the time from the request to it, and its fate. */
  public record Timed(HttpResponse response, Duration latency, Delivery delivery) {}

  private final ThreadTaskScheduler scheduler;
  private final HttpListener listener;

  private EmulatorFront(
      String name, int port, LocalPages pages, BiFunction<HttpRequest, String, Timed> protocol)
      throws IOException {
    scheduler = ThreadTaskScheduler.start(name + "-timer", SystemTime.instance());
    try {
      listener =
          HttpListener.start(
              name,
              loopback(port),
              LIMITS,
              (request, reply) -> serve(request, reply, pages, protocol));
    } catch (IOException e) {
      scheduler.close();
      throw e;
    }
  }

  /**
   * Starts to listen.
   *
   * @param port 0 for one of the system's choice
   * @param protocol answers a request, given the authority that the client has called
   * @throws IOException when the port cannot be listened on; nothing was started then
   */
  public static EmulatorFront start(
      String name, int port, LocalPages pages, BiFunction<HttpRequest, String, Timed> protocol)
      throws IOException {
    return new EmulatorFront(name, port, pages, protocol);
  }

  public static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Where clients reach it. */
  public URI endpoint() {
    return listener.endpoint();
  }

  /** Stops to listen and breaks every connection. */
  @Override
  public void close() {
    listener.close();
    scheduler.close();
  }

  private void serve(
      HttpRequest request,
      HttpReply reply,
      LocalPages pages,
      BiFunction<HttpRequest, String, Timed> protocol) {
    if (pages.isOne(request)) {
      reply.send(pages.answer(request));
      return;
    }
    String authority = request.header("Host").orElseGet(() -> endpoint().getAuthority());
    Timed answer = protocol.apply(request, authority);
    if (answer.latency().isZero()) {
      deliver(answer, reply);
    } else {
      scheduler.after(answer.latency(), () -> deliver(answer, reply));
    }
  }

  private static void deliver(Timed answer, HttpReply reply) {
    if (answer.delivery() == Delivery.SENT) {
      reply.send(answer.response());
    } else if (answer.delivery() == Delivery.LOST) {
      reply.breakOff();
    }
  }
}
