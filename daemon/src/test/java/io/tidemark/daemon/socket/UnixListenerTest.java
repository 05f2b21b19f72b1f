package io.tidemark.daemon.socket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.daemon.DaemonError;
import io.tidemark.error.IpamException;
import io.tidemark.testing.Hang;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(5 * Hang.SECONDS)
@DisplayName("A bounded Unix socket")
class UnixListenerTest {
  private static final int REQUEST_MAX = 100_000;
  private static final SocketLimits LIMITS =
      new SocketLimits(8, REQUEST_MAX, 150_000, Duration.ofMinutes(5));

  @TempDir private Path folder;
  private Path socket;
  private @Nullable UnixListener listener;
  private final BlockingQueue<CompletableFuture<byte[]>> open = new LinkedBlockingQueue<>();

  @BeforeEach
  void path() {
    socket = folder.resolve("agent.sock");
  }

  /** Echoes; answers a request that begins with {@code wait} when the test says so. */
  private final class Echo implements Exchange {
    @Override
    public CompletionStage<byte[]> answer(byte[] request) {
      if (new String(request, UTF_8).startsWith("broken")) {
        throw new IllegalStateException("a defect");
      }
      CompletableFuture<byte[]> answer = new CompletableFuture<>();
      if (new String(request, UTF_8).startsWith("wait")) {
        open.add(answer);
      } else {
        answer.complete(request);
      }
      return answer;
    }

    @Override
    public byte[] tooLong(int bytesMax) {
      return ("longer than " + bytesMax).getBytes(UTF_8);
    }

    @Override
    public byte[] tooSlow(Duration limit) {
      return "too slow".getBytes(UTF_8);
    }

    @Override
    public byte[] busy() {
      return "busy".getBytes(UTF_8);
    }
  }

  private void start(SocketLimits limits) throws IOException {
    listener = UnixListener.start(socket, limits, SystemTime.instance(), new Echo());
  }

  @AfterEach
  void close() {
    if (listener != null) {
      listener.close();
    }
  }

  @Test
  @DisplayName("Requests of any length up to the limit are answered; longer ones are refused")
  void lengths() throws IOException {
    start(LIMITS);
    for (int length : new int[] {0, 1, 4096, 4097, REQUEST_MAX}) {
      assertThat(RawClient.ask(socket, "x".repeat(length))).hasSize(length);
    }
    try (RawClient client = new RawClient(socket)) {
      client.send(new byte[REQUEST_MAX + 1]);
      assertThat(client.answer()).isEqualTo("longer than " + REQUEST_MAX);
    }
  }

  @Test
  @DisplayName("Who waits for an answer and who sends slowly keep nobody else waiting")
  void waiting() throws IOException, InterruptedException {
    start(LIMITS);
    try (RawClient slow = new RawClient(socket);
        RawClient waiting = new RawClient(socket)) {
      slow.send("half".getBytes(UTF_8));
      waiting.send("wait".getBytes(UTF_8));
      waiting.end();
      CompletableFuture<byte[]> answer = open.take();
      assertThat(RawClient.ask(socket, "quick")).isEqualTo("quick");

      answer.complete("at last".getBytes(UTF_8));
      assertThat(waiting.answer()).isEqualTo("at last");
      slow.send(" whole".getBytes(UTF_8));
      slow.end();
      assertThat(slow.answer()).isEqualTo("half whole");
    }
  }

  @Test
  @DisplayName("More clients than allowed wait until one has gone")
  void connections() throws IOException, InterruptedException {
    start(LIMITS);
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      RawClient client = new RawClient(socket);
      clients.add(client);
      client.send("wait".getBytes(UTF_8));
      client.end();
    }
    for (int i = 0; i < 12; i++) {
      open.take().complete("done".getBytes(UTF_8));
    }
    for (RawClient each : clients) {
      assertThat(each.answer()).isEqualTo("done");
      each.close();
    }
  }

  @Test
  @DisplayName("Requests that together hold too much are refused, and room comes back")
  void held() throws IOException {
    start(LIMITS);
    try (RawClient first = new RawClient(socket);
        RawClient second = new RawClient(socket)) {
      first.send(new byte[90_000]);
      assertThat(RawClient.ask(socket, "x")).isEqualTo("x");
      second.send(new byte[90_000]);
      assertThat(second.answer()).isEqualTo("busy");
      first.end();
      assertThat(first.answer()).hasSize(90_000);
    }
    assertThat(RawClient.ask(socket, "x".repeat(90_000))).hasSize(90_000);
  }

  @Test
  @DisplayName(
      "A request that does not end in time is refused; a client that goes away is forgotten")
  void late() throws IOException {
    SocketLimits briefly = new SocketLimits(8, 1000, 1000, Duration.ofMillis(1));
    start(briefly);
    try (RawClient client = new RawClient(socket)) {
      try {
        client.send("half".getBytes(UTF_8));
      } catch (IOException closed) {
        // It was too late for the first byte already.
      }
      assertThat(client.answer()).isEqualTo("too slow");
      new RawClient(socket).close();
    }
  }

  @Test
  @DisplayName("A request that makes the program fail costs its own connection alone")
  void defect() throws IOException {
    start(LIMITS);
    assertThat(RawClient.ask(socket, "broken")).isEmpty();
    assertThat(RawClient.ask(socket, "x")).isEqualTo("x");
  }

  @Test
  @DisplayName("Owner and group may connect; at the end the socket is removed")
  void permissions() throws IOException {
    start(LIMITS);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
        .isEqualTo("rw-rw----");
    close();
    assertThat(socket).doesNotExist();
  }

  @Test
  @DisplayName("A socket that nobody listens on is taken over, a live one and a file are refused")
  void takenOver() throws IOException {
    try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      left.bind(UnixDomainSocketAddress.of(socket));
    }
    assertThat(socket).exists();
    start(LIMITS);
    assertThat(RawClient.ask(socket, "x")).isEqualTo("x");
    assertRefused("is listened on by another program");
    assertThat(RawClient.ask(socket, "x")).isEqualTo("x");
    close();
    Files.writeString(socket, "a file");
    assertRefused("is not a socket");
    assertThat(socket).hasContent("a file");
  }

  @Test
  @DisplayName("A path that is too long for a socket is refused with its limit")
  void pathTooLong() {
    socket = folder.resolve("x".repeat(108));
    assertRefused("longer than 107 bytes");
  }

  private void assertRefused(String why) {
    assertThatThrownBy(() -> start(LIMITS))
        .isInstanceOfSatisfying(
            IpamException.class,
            refused -> assertThat(refused.code()).isEqualTo(DaemonError.SOCKET_REFUSED))
        .hasMessageContaining(socket.toString())
        .hasMessageContaining(why);
  }
}
