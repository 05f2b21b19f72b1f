package io.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Hang;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A response that is sent piece by piece")
class HttpFeedTest {
  private static final HttpLimits LIMITS =
      new HttpLimits(
          64,
          8192,
          0,
          Duration.ofMinutes(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(5));

  private final BlockingQueue<Pieces> opened = new LinkedBlockingQueue<>();
  private final HttpListener listener = start();

  private HttpListener start() {
    try {
      return HttpListener.start(
          "feed-test",
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
          LIMITS,
          (request, reply) ->
              reply.send(
                  request.path().equals("/feed")
                      ? HttpResponse.of(200, "text/plain", new Pieces(opened))
                      : HttpResponse.of(200, "text/plain", "healthy")));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A feed whose pieces the test gives; a failure stands for a defect. */
  private static final class Pieces implements HttpResponse.Feed {
    private final BlockingQueue<Pieces> opened;
    private final BlockingQueue<CompletableFuture<Optional<String>>> asked =
        new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private CompletableFuture<Optional<String>> awaited = new CompletableFuture<>();

    Pieces(BlockingQueue<Pieces> opened) {
      this.opened = opened;
    }

    @Override
    public CompletionStage<?> ready() {
      awaited = new CompletableFuture<>();
      asked.add(awaited);
      opened.add(this);
      return awaited;
    }

    @Override
    public Optional<String> next() {
      return awaited.join();
    }

    @Override
    public void ended() {
      ended.complete(null);
    }

    void give(Optional<String> piece) throws InterruptedException {
      CompletableFuture<Optional<String>> next = asked.poll(Hang.SECONDS, TimeUnit.SECONDS);
      assertThat(next).as("the listener asks for a piece").isNotNull();
      next.complete(piece);
    }
  }

  @AfterEach
  void close() {
    listener.close();
  }

  private Pieces pieces() throws InterruptedException {
    Pieces pieces = opened.poll(Hang.SECONDS, TimeUnit.SECONDS);
    assertThat(pieces).isNotNull();
    return pieces;
  }

  @Test
  @DisplayName("reaches the client while more is to come, and ends when the feed ends")
  void piecesArrive() throws Exception {
    try (RawClient client = RawClient.connect(listener.port())) {
      client.send(RawClient.get("/feed"));
      Pieces pieces = pieces();
      pieces.give(Optional.of("one\n"));
      assertThat(client.readHead()).startsWith("HTTP/1.1 200");
      pieces.give(Optional.of("two\n"));
      pieces.give(Optional.empty());
      assertThat(client.readToEnd()).isEqualTo("one\ntwo\n");
      pieces.ended.get(Hang.SECONDS, TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName("holds no thread: 40 clients wait for a piece, and another request is answered")
  void noThread() throws Exception {
    List<RawClient> waiting =
        RawClient.slow("127.0.0.1", listener.port(), 40, RawClient.get("/feed"));
    List<Pieces> all = new ArrayList<>();
    for (int i = 0; i < waiting.size(); i++) {
      all.add(pieces());
    }
    assertThat(RawClient.ask("127.0.0.1", listener.port(), RawClient.get("/"))).endsWith("healthy");
    for (Pieces each : all) {
      each.give(Optional.of("piece"));
    }
    for (RawClient each : waiting) {
      assertThat(each.readHead()).startsWith("HTTP/1.1 200");
    }
    RawClient.close(waiting);
  }

  @Test
  @DisplayName("asks for no piece while the client has not taken the one before")
  void slowReader() throws Exception {
    try (RawClient client = RawClient.connect(listener.port())) {
      client.send(RawClient.get("/feed"));
      Pieces pieces = pieces();
      pieces.give(Optional.of("x".repeat(32 << 20)));
      assertThat(client.readHead()).startsWith("HTTP/1.1 200");
      assertThat(pieces.asked.poll(200, TimeUnit.MILLISECONDS)).isNull();
    }
  }

  @Test
  @Timeout(Hang.SECONDS)
  @DisplayName("is ended when the client is gone")
  void clientGone() throws Exception {
    Pieces pieces;
    try (RawClient client = RawClient.connect(listener.port())) {
      client.send(RawClient.get("/feed"));
      pieces = pieces();
    }
    while (!pieces.ended.isDone()) {
      CompletableFuture<Optional<String>> next = pieces.asked.poll(10, TimeUnit.MILLISECONDS);
      if (next != null) {
        next.complete(Optional.of("to nobody"));
      }
    }
    assertThat(pieces.ended).isCompleted();
  }

  @Test
  @DisplayName("is cut off by a defect, and the client can tell")
  void defect() throws Exception {
    try (RawClient client = RawClient.connect(listener.port())) {
      client.send(RawClient.get("/feed"));
      Pieces pieces = pieces();
      pieces.give(Optional.of("one"));
      client.readHead();
      CompletableFuture<Optional<String>> next = pieces.asked.poll(Hang.SECONDS, TimeUnit.SECONDS);
      assertThat(next).isNotNull();
      next.completeExceptionally(new IllegalStateException("a defect"));
      pieces.ended.get(Hang.SECONDS, TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName("does not delay the end of the listener while it waits for a piece")
  void listenerCloses() throws Exception {
    try (RawClient client = RawClient.connect(listener.port())) {
      client.send(RawClient.get("/feed"));
      pieces();
      CompletableFuture<Void> closing =
          CompletableFuture.runAsync(listener::close, command -> new Thread(command).start());
      closing.get(Hang.SECONDS, TimeUnit.SECONDS); // less than the listener drains
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  @DisplayName("is not begun for a HEAD")
  void head() throws Exception {
    try (RawClient client = RawClient.connect(listener.port())) {
      client.send("HEAD /feed HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(client.readHead()).startsWith("HTTP/1.1 200");
    }
    assertThat(opened).isEmpty();
  }
}
