package io.tidemark.emulator.ec2.http;

import io.tidemark.emulator.ec2.model.Reply;
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

/**
 * The emulator on a port: EC2, STS, and the administration for programs of this machine. Latency is
 * an entry in the scheduler, and a response that never arrives is a connection without a thread.
 * Thread-safe.
 */
public final class Ec2HttpFront implements AutoCloseable {
  private static final int BODY_BYTES_MAX = 1 << 22;

  static final HttpLimits LIMITS =
      new HttpLimits(
          1024,
          32 << 10,
          BODY_BYTES_MAX,
          Duration.ofMinutes(2),
          Duration.ofSeconds(20),
          Duration.ofMinutes(5),
          Duration.ZERO);

  private final Ec2Handler handler;
  private final TaskScheduler scheduler;
  private final LocalPages pages;
  private final HttpListener listener;

  private Ec2HttpFront(
      Ec2Handler handler, TaskScheduler scheduler, LocalPages pages, InetSocketAddress address)
      throws IOException {
    this.handler = handler;
    this.scheduler = scheduler;
    this.pages = pages;
    this.listener = HttpListener.start("ec2-emulator", address, LIMITS, this::serve);
  }

  /**
   * Starts to listen.
   *
   * @param address port 0 for one of the system's choice
   * @throws IOException when the address cannot be listened on
   */
  public static Ec2HttpFront start(
      Ec2Handler handler, TaskScheduler scheduler, LocalPages pages, InetSocketAddress address)
      throws IOException {
    return new Ec2HttpFront(handler, scheduler, pages, address);
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
    Response response =
        handler.handle(
            new Exchange(
                request.header("Authorization"),
                request.header("X-Amz-Security-Token"),
                request.query(),
                request.body()));
    if (response.latency().isZero()) {
      deliver(response, reply);
    } else {
      scheduler.after(response.latency(), () -> deliver(response, reply));
    }
  }

  private static void deliver(Response response, HttpReply reply) {
    if (response.delivery() == Reply.Delivery.SENT) {
      reply.send(
          HttpResponse.of(response.status(), Response.CONTENT_TYPE, response.body())
              .with("x-amzn-RequestId", response.requestId()));
    } else if (response.delivery() == Reply.Delivery.LOST) {
      reply.breakOff();
    }
  }
}
