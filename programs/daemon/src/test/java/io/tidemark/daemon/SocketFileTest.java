package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.error.IpamException;
import io.tidemark.http.HttpLimits;
import io.tidemark.http.HttpListener;
import io.tidemark.http.HttpReply;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(5 * Hang.SECONDS)
@DisplayName("A Unix socket with HTTP")
class SocketFileTest {
  private static final int REQUEST_MAX = 100_000;
  private static final HttpLimits LIMITS =
      new HttpLimits(
          8, 1 << 10, REQUEST_MAX, Hang.LIMIT, Hang.LIMIT, Duration.ofMinutes(5), Duration.ZERO);

  @TempDir private Path folder;
  private Path socket;
  private final BlockingQueue<HttpReply> open = new LinkedBlockingQueue<>();

  @BeforeEach
  void path() {
    socket = folder.resolve("run/agent.sock");
  }

  /** Echoes; answers a request that begins with {@code wait} when the test says so. */
  private void answer(HttpRequest request, HttpReply reply) {
    if (request.body().startsWith("wait")) {
      open.add(reply);
    } else {
      reply.send(response(request.body()));
    }
  }

  private static HttpResponse response(String text) {
    return HttpResponse.of(200, "text/plain", text);
  }

  private HttpListener serve() {
    return SocketFile.serve(socket, LIMITS, this::answer);
  }

  @Test
  @DisplayName("Requests of any length up to the limit are answered; longer ones are refused")
  void lengths() throws IOException {
    try (HttpListener listener = serve()) {
      assertThat(listener.isServing()).isTrue();
      for (int length : new int[] {0, 1, 4096, 4097, REQUEST_MAX}) {
        assertThat(PluginClient.ask(socket, "x".repeat(length))).hasSize("200 ".length() + length);
      }
      assertThat(PluginClient.ask(socket, "x".repeat(REQUEST_MAX + 1))).startsWith("413 ");
    }
  }

  @Test
  @DisplayName("Clients that wait keep nobody else waiting; more than allowed wait their turn")
  void waiting() throws IOException, InterruptedException {
    try (HttpListener listener = serve();
        PluginClient waiting = new PluginClient(socket)) {
      waiting.send("wait");
      HttpReply first = open.take();
      assertThat(PluginClient.ask(socket, "quick")).isEqualTo("200 quick");
      List<PluginClient> clients = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        PluginClient client = new PluginClient(socket);
        clients.add(client);
        client.send("wait");
      }
      first.send(response("at last"));
      assertThat(waiting.answer()).isEqualTo("200 at last");
      for (int i = 0; i < 12; i++) {
        open.take().send(response("done"));
      }
      for (PluginClient each : clients) {
        assertThat(each.answer()).isEqualTo("200 done");
        each.close();
      }
      assertThat(listener.isServing()).isTrue();
    }
  }

  @Test
  @DisplayName("A path that is too long for a socket is refused with its limit")
  void pathTooLong() {
    socket = folder.resolve("x".repeat(108));
    assertRefused("longer than 107 bytes");
  }

  private void assertRefused(String why) {
    assertThatThrownBy(this::serve)
        .isInstanceOfSatisfying(
            IpamException.class,
            refused -> assertThat(refused.code()).isEqualTo(DaemonError.SOCKET_REFUSED))
        .hasMessageContaining(socket.toString())
        .hasMessageContaining(why);
  }
}
