package io.tidemark.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.testing.Hang;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The HTTP server")
class HttpListenerTest {
  private static final String TEXT = "text/plain";
  private static final int HEAD_MAX = 8192;
  private static final int BODY_MAX = 1000;
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final HttpLimits LIMITS = timeouts(LONG, LONG, LONG);
  private static final String LARGE = "x".repeat(8 << 20);

  /** Slow clients: nearly twice as many as it may have connections. */
  private static final int SLOW = 2 * LIMITS.connections() - 8;

  private final CountDownLatch streaming = new CountDownLatch(1);
  private final Semaphore promises = new Semaphore(0);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final CompletableFuture<IOException> readerLost = new CompletableFuture<>();
  private HttpListener listener = start(LIMITS);

  private HttpListener start(HttpLimits limits) {
    try {
      return HttpListener.start(
          "http-test",
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
          limits,
          this::handle);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void handle(HttpRequest request, HttpReply reply) {
    switch (request.path()) {
      case "/large" -> reply.send(HttpResponse.of(200, TEXT, LARGE));
      case "/promise" -> promises.release();
      case "/peer" -> reply.send(HttpResponse.of(200, TEXT, request.peer().getHostAddress()));
      case "/break" -> reply.breakOff();
      case "/defect" -> throw new IllegalStateException("a defect");
      case "/stream" -> reply.send(HttpResponse.of(200, TEXT, this::stream));
      case "/half" ->
          reply.send(
              HttpResponse.of(
                  200,
                  TEXT,
                  out -> {
                    out.write(new byte[100_000]);
                    throw new IOException("the source ended");
                  }));
      case "/endless" ->
          reply.send(
              HttpResponse.of(
                  200,
                  TEXT,
                  out -> {
                    try {
                      while (true) {
                        out.write(new byte[10_000]);
                      }
                    } catch (IOException e) {
                      readerLost.complete(e);
                      throw e;
                    }
                  }));
      default ->
          reply.send(
              HttpResponse.of(
                  200,
                  TEXT,
                  request.method() + " " + request.path() + " " + request.body() + "\n"));
    }
  }

  private void stream(OutputStream out) throws IOException {
    try {
      streaming.countDown();
      if (!goOn.await(Hang.SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("nobody lets it go on");
      }
      out.write('!');
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static HttpLimits timeouts(Duration idle, Duration request, Duration answer) {
    return new HttpLimits(64, HEAD_MAX, BODY_MAX, idle, request, answer, LONG);
  }

  private void restart(HttpLimits limits) {
    listener.close();
    listener = start(limits);
  }

  @AfterEach
  void close() {
    goOn.countDown();
    listener.close();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "GET /health HT",
        "GET /health HTTP/1.1\r\nHost: loc",
        "POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf",
        "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"
      })
  @DisplayName("answers, however many slow clients there are")
  void slowClients(String begun) throws IOException {
    List<RawClient> slow = RawClient.slow("127.0.0.1", listener.port(), SLOW, begun);
    for (String from : List.of("127.0.0.1", "127.0.0.4")) {
      assertThat(askAmongOthers(from)).startsWith("HTTP/1.1 200").endsWith("GET /health \n");
    }
    RawClient.close(slow);
  }

  /** At the limit of connections a busy server also closes one that it has not read yet. */
  private String askAmongOthers(String from) throws IOException {
    long end = System.nanoTime() + Hang.LIMIT.toNanos();
    String answer;
    do {
      answer = RawClient.ask(from, listener.port(), RawClient.get("/health"));
    } while (answer.isEmpty() && System.nanoTime() - end < 0);
    return answer;
  }

  @Test
  @DisplayName("closes a connection whose request takes too long, though bytes keep coming")
  void requestTimeout() throws Exception {
    restart(timeouts(LONG, SHORT, LONG));
    try (RawClient client = RawClient.connect(listener.port())) {
      client.sendIfOpen("GET /");
      boolean closed = false;
      for (int i = 0; i < Hang.LIMIT.toMillis() / 20 && !closed; i++) {
        client.sendIfOpen("a");
        closed = client.isClosedWithin(20);
      }
      assertThat(closed).isTrue();
    }
  }

  @Test
  @DisplayName("closes a connection that is not used again")
  void idleTimeout() throws Exception {
    restart(timeouts(SHORT, LONG, LONG));
    try (RawClient client = RawClient.connect(listener.port())) {
      client.send("HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(client.readHead()).startsWith("HTTP/1.1 200");
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  @DisplayName("closes a connection whose answer is not taken, and frees its thread")
  void answerTimeout() throws Exception {
    restart(timeouts(LONG, LONG, SHORT));
    try (RawClient client = RawClient.connect(listener.port())) {
      client.send(RawClient.get("/endless"));
      assertThat(readerLost.get(Hang.SECONDS, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
    }
  }

  @Test
  @DisplayName("closes a connection to which the handler promised an answer that does not come")
  void promiseTimeout() throws Exception {
    restart(timeouts(LONG, LONG, SHORT));
    assertThat(RawClient.ask("127.0.0.1", listener.port(), RawClient.get("/promise"))).isEmpty();
  }

  @ParameterizedTest(name = "{0} bytes")
  @ValueSource(ints = {HEAD_MAX, 70_000, 2_000_000})
  @DisplayName("answers a head that is too long with a status, not with a reset")
  void longHead(int bytes) throws IOException {
    String filler = "x".repeat(bytes);
    assertThat(
            RawClient.ask(
                "127.0.0.1",
                listener.port(),
                "GET / HTTP/1.1\r\nHost: localhost\r\nLong: " + filler + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431 ");
    assertThat(
            RawClient.ask(
                "127.0.0.1",
                listener.port(),
                "GET /" + filler + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 414 ");
  }

  @ParameterizedTest(name = "{0} bytes")
  @ValueSource(ints = {BODY_MAX + 1, 70_000, 2_000_000})
  @DisplayName("answers a body that is too long with 413, announced or in chunks")
  void longBody(int bytes) throws IOException {
    String body = "x".repeat(bytes);
    String head = "POST / HTTP/1.1\r\nHost: localhost\r\n";
    assertThat(
            RawClient.ask(
                "127.0.0.1",
                listener.port(),
                head + "Content-Length: " + bytes + "\r\n\r\n" + body))
        .startsWith("HTTP/1.1 413 ");
    assertThat(
            RawClient.ask(
                "127.0.0.1",
                listener.port(),
                head
                    + "Transfer-Encoding: chunked\r\n\r\n"
                    + Integer.toHexString(bytes)
                    + "\r\n"
                    + body
                    + "\r\n0\r\n\r\n"))
        .startsWith("HTTP/1.1 413 ");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "zz\r\nabc\r\n0\r\n\r\n", // no number
        "-3\r\nabc\r\n0\r\n\r\n",
        "3\r\nabcX\r\n0\r\n\r\n", // longer than its size
        "ffffffffffffffffff\r\nabc\r\n0\r\n\r\n",
        "3\r\nabc\r\nzz\r\n" // behind a good one
      })
  @DisplayName("answers a body whose chunks are broken with 400, and closes the connection")
  void brokenChunks(String chunks) throws IOException {
    String head = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    assertThat(RawClient.ask("127.0.0.1", listener.port(), head + chunks))
        .startsWith("HTTP/1.1 400 ")
        .doesNotContain("Server:", "Jetty");
    try (RawClient client = RawClient.connect(listener.port())) {
      client.send(head);
      client.send(chunks);
      assertThat(client.readToEnd()).as("in parts").startsWith("HTTP/1.1 400 ");
    }
  }

  @Test
  @DisplayName("hands over what was sent")
  void request() throws IOException {
    String body = "y".repeat(BODY_MAX);
    assertThat(
            RawClient.ask(
                "127.0.0.1",
                listener.port(),
                "POST /a%20b/c?d=%20 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + "Content-Length: "
                    + BODY_MAX
                    + "\r\n\r\n"
                    + body))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("POST /a b/c " + body + "\n");
    assertThat(RawClient.ask("127.0.0.1", listener.port(), "nonsense\r\n\r\n"))
        .startsWith("HTTP/1.1 400 ")
        .doesNotContain("Server:", "Jetty", "nonsense");
  }

  @Test
  @DisplayName("answers HEAD with the headers of the GET, without calling the body's writer")
  void head() throws IOException {
    try (RawClient client = RawClient.connect(listener.port())) {
      client.send("HEAD /stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(client.readHead()).startsWith("HTTP/1.1 200").contains("Content-Type: " + TEXT);
      client.send("HEAD /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(client.readHead()).contains("Content-Length: " + LARGE.length());
      client.send(RawClient.get("/health"));
      assertThat(client.readToEnd()).startsWith("HTTP/1.1 200").endsWith("GET /health \n");
    }
    assertThat(streaming.getCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("shows that a streamed answer is not complete")
  void brokenStream() throws IOException {
    String answer;
    try (RawClient client = RawClient.connect(listener.port())) {
      client.send("GET /half HTTP/1.1\r\nHost: localhost\r\n\r\n");
      try {
        answer = client.readToEnd();
      } catch (IOException reset) {
        return;
      }
    }
    assertThat(answer).startsWith("HTTP/1.1 200").doesNotEndWith("0\r\n\r\n");
  }

  @Test
  @DisplayName("breaks a connection off, and answers a defect with 500")
  void failures() throws IOException {
    assertThat(RawClient.ask("127.0.0.1", listener.port(), RawClient.get("/break"))).isEmpty();
    assertThat(RawClient.ask("127.0.0.1", listener.port(), RawClient.get("/defect")))
        .startsWith("HTTP/1.1 500 ")
        .doesNotContain("IllegalStateException");
  }

  @Test
  @DisplayName("ends the answers that have begun when it closes, and nothing else")
  void drain() throws Exception {
    try (RawClient reader = RawClient.connect(listener.port());
        RawClient idle = RawClient.connect(listener.port());
        RawClient promised = RawClient.connect(listener.port())) {
      promised.send(RawClient.get("/promise"));
      assertThat(promises.tryAcquire(Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
      idle.send("GET /hea");
      reader.send(RawClient.get("/stream"));
      assertThat(streaming.await(Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
      CompletableFuture<Void> closing =
          CompletableFuture.runAsync(listener::close, command -> new Thread(command).start());
      assertThat(idle.isClosed()).isTrue();
      assertThat(promised.isClosed()).isTrue();
      assertThat(closing).isNotDone();
      goOn.countDown();
      assertThat(reader.readToEnd()).startsWith("HTTP/1.1 200").endsWith("!");
      closing.get(Hang.SECONDS, TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName("serves a Unix socket, and closes silent connections for one above the limit")
  void socket(@TempDir Path folder) throws Exception {
    Path path = folder.resolve("http.sock");
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path);
    HttpListener onSocket = HttpListener.start("http-socket", address, LIMITS, this::handle);
    try {
      assertThat(onSocket.port()).isEqualTo(-1);
      List<SocketChannel> waiting = new ArrayList<>();
      for (int i = 0; i < LIMITS.connections(); i++) {
        waiting.add(SocketChannel.open(address));
      }
      try (SocketChannel client = SocketChannel.open(address)) {
        client.write(US_ASCII.encode("GET /peer HTTP/1.1\r\nHost: x\r\n\r\n"));
        StringBuilder answer = new StringBuilder();
        ByteBuffer part = ByteBuffer.allocate(1_024);
        while (!answer.toString().endsWith("127.0.0.1") && client.read(part) >= 0) {
          answer.append(US_ASCII.decode(part.flip()));
          part.clear();
        }
        assertThat(answer).startsWith("HTTP/1.1 200").endsWith("127.0.0.1");
      }
      for (SocketChannel each : waiting) {
        each.close();
      }
    } finally {
      onSocket.close();
    }
    assertThat(path).doesNotExist();
  }

  @Test
  @DisplayName("is refused when the port is taken")
  void taken() {
    assertThatThrownBy(
            () ->
                HttpListener.start(
                    "http-second",
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port()),
                    LIMITS,
                    this::handle))
        .isInstanceOf(BindException.class);
  }
}
