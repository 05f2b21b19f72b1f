package io.tidemark.provider.azure.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.provider.kit.start.MetadataUnavailable;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The metadata of the machine that we run on (Z48)")
class HttpAzureMetadataTest {
  private static HttpAzureMetadataJson at(URI endpoint) {
    return new HttpAzureMetadataJson(endpoint, Hang.LIMIT);
  }

  private static MetadataUnavailable failure(URI endpoint) {
    return catchThrowableOfType(MetadataUnavailable.class, at(endpoint)::cloudName);
  }

  @Test
  @DisplayName("names the cloud")
  void cloud() throws Exception {
    try (ArmEmulator.Listening listening = ArmEmulator.listen(0, ArmScenarioYaml.example())) {
      assertThat(at(listening.endpoint()).cloudName()).isEqualTo("AzurePublicCloud");
    }
  }

  @Test
  @DisplayName("that nobody serves is silent; the error names the setting")
  void silent() throws IOException {
    try (Socket bound = new Socket()) { // nobody listens on its port, nor can
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      assertThat(failure(URI.create("http://127.0.0.1:" + bound.getLocalPort())))
          .hasMessageContaining("azure-cloud")
          .satisfies(unavailable -> assertThat(unavailable.isSilent()).isTrue());
    }
  }

  @DisplayName("AZ-N18 AZ-N51 An error page or a page of something else names no cloud")
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      quoteCharacter = '\'',
      value = {
        "404, {\"azEnvironment\":\"AzurePublicCloud\"}",
        "500, oops",
        "302, moved",
        "200, <html>Sign in</html>",
        "200, {}",
        "200, {\"azEnvironment\":\"\"}",
        "200, [1]",
        "200, ''"
      })
  void pages(int status, String body) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Location", "/other");
          exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    try {
      assertThat(failure(URI.create("http://127.0.0.1:" + server.getAddress().getPort())))
          .satisfies(unavailable -> assertThat(unavailable.isSilent()).isFalse());
    } finally {
      server.stop(0);
    }
  }
}
