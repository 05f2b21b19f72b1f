package io.tidemark.provider.kit.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.provider.kit.start.MetadataClient.Answer;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Requests to the metadata service of a machine")
class MetadataClientTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final String REMEDY = "Set the region.";

  private HttpServer server;
  private MetadataClient client;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", MetadataClientTest::answer);
    server.start();
    URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    client = new MetadataClient(endpoint, Hang.LIMIT, REMEDY);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** {@code /STATUS/BYTES}, or method and header of the request. */
  private static void answer(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getPath().split("/", -1);
    String said = exchange.getRequestMethod() + " " + exchange.getRequestHeaders().get("ask") + " ";
    byte[] body =
        path.length > 2
            ? new byte[Integer.parseInt(path[2])]
            : said.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Location", "/200");
    exchange.sendResponseHeaders(Integer.parseInt(path[1]), body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Test
  @DisplayName("have method and headers, and the text of the response without its spaces")
  void answered() throws Exception {
    Answer answer = client.send("PUT", "/200", Map.of("ask", "1"));
    assertThat(answer).isEqualTo(new Answer(200, "PUT [1] "));
    assertThat(client.accepted(answer)).isEqualTo("PUT [1]");
  }

  @Test
  @DisplayName("are not redirected; another status than 200 is no silence")
  void refused() throws Exception {
    Answer answer = client.send("GET", "/302", Map.of());
    assertThat(answer.status()).isEqualTo(302);
    MetadataUnavailable refused =
        catchThrowableOfType(MetadataUnavailable.class, () -> client.accepted(answer));
    assertThat(refused).hasMessage(client.name() + " answered 302");
    assertThat(refused.isSilent()).isFalse();
  }

  @Test
  @DisplayName("take a response of a mebibyte, and none that is longer")
  void length() throws Exception {
    assertThat(client.send("GET", "/200/" + MEBIBYTE, Map.of()).text()).hasSize(MEBIBYTE);
    MetadataUnavailable tooLong =
        catchThrowableOfType(
            MetadataUnavailable.class,
            () -> client.send("GET", "/200/" + (MEBIBYTE + 1), Map.of()));
    assertThat(tooLong).hasMessageContaining("answered more than " + MEBIBYTE + " bytes");
    assertThat(tooLong.isSilent()).isFalse();
  }

  @Test
  @DisplayName("say what to do when nobody answers")
  void silent() throws IOException {
    try (Socket bound = new Socket()) { // nobody listens on its port, nor can
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      URI nobody = URI.create("http://127.0.0.1:" + bound.getLocalPort());
      MetadataClient unheard = new MetadataClient(nobody, Hang.LIMIT, REMEDY);
      MetadataUnavailable silent =
          catchThrowableOfType(
              MetadataUnavailable.class, () -> unheard.send("GET", "/200", Map.of()));
      assertThat(silent)
          .hasMessage(unheard.name() + " does not answer (ConnectException). " + REMEDY);
      assertThat(silent.isSilent()).isTrue();
    }
  }

  @Test
  @DisplayName("end with an interruption, which stays set")
  void interrupted() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> client.send("GET", "/200", Map.of()))
        .isInstanceOf(MetadataUnavailable.class)
        .hasMessageStartingWith("interrupted while asking ");
    assertThat(Thread.interrupted()).isTrue();
  }
}
