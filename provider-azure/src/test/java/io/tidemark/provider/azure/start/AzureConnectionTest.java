package io.tidemark.provider.azure.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.identity.AzureCloud;
import io.tidemark.provider.azure.identity.CredentialChoice;
import io.tidemark.provider.azure.network.ArmFailure;
import io.tidemark.provider.azure.network.ArmList;
import io.tidemark.provider.azure.network.ArmSamples;
import io.tidemark.provider.azure.network.Transport;
import io.tidemark.testing.Hang;
import io.tidemark.testing.TlsServer;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A connection to Azure, over sockets")
class AzureConnectionTest {
  private static final char[] KEYS = TlsServer.PASSWORD.toCharArray();

  /** The requests to the authority. */
  private static final List<String> ASKED = new CopyOnWriteArrayList<>();

  @TempDir private static Path folder;

  /** An authority, and a Resource Manager without interfaces; its keys take seconds to make. */
  private static TlsServer server;

  @BeforeAll
  static void start() throws Exception {
    server = TlsServer.start(folder, AzureConnectionTest::answer);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (path.startsWith("/tenant/")) {
      ASKED.add(
          path
              + " "
              + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      send(exchange, "{\"token_type\":\"Bearer\",\"expires_in\":3600,\"access_token\":\"given\"}");
    } else {
      send(exchange, "{\"value\":[]}");
    }
  }

  private static void unheard(String bucket, long left) {
    // what is left of a bucket
  }

  private static AzureConnection connection(
      URI endpoint, CredentialChoice credential, Optional<Path> caBundle) {
    AzureCloud cloud = new AzureCloud("custom", endpoint, URI.create("https://login.example"));
    return new AzureConnection(
        () -> cloud,
        credential,
        new Transport(caBundle, endpoint, AzureConnectionTest::unheard).within(Hang.LIMIT),
        SystemTime.instance());
  }

  private static int interfaces(AzureConnection connection) throws Exception {
    AccessTokens.Token token = connection.token();
    return connection
        .arm(token::text, false)
        .page(ArmList.interfacesOfGroup(ArmSamples.MACHINE), Optional.empty())
        .items()
        .size();
  }

  @Test
  @DisplayName("gets the token of the machine's identity from the configured metadata endpoint")
  void machine() throws Exception {
    try (ArmEmulator.Listening azure = ArmEmulator.listen(0, ArmScenarioYaml.example())) {
      assertThat(
              interfaces(
                  connection(azure.endpoint(), CredentialChoice.machine(""), Optional.empty())))
          .isEqualTo(2);
    }
  }

  @Test
  @DisplayName("asks an emulator without a secret")
  void emulator() throws Exception {
    try (ArmEmulator.Listening azure = ArmEmulator.listen(0, ArmScenarioYaml.example())) {
      assertThat(
              interfaces(connection(azure.endpoint(), CredentialChoice.EMULATOR, Optional.empty())))
          .isEqualTo(2);
    }
  }

  @Test
  @DisplayName("proves itself by a certificate, with an assertion that its key signed")
  void certificate() throws Exception {
    KeyStore keys = KeyStore.getInstance(folder.resolve("keys.p12").toFile(), KEYS);
    Path pem =
        Files.writeString(
            folder.resolve("client.pem"),
            "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(keys.getKey("k", KEYS).getEncoded())
                + "\n-----END PRIVATE KEY-----\n"
                + Files.readString(server.certificate()));
    AzureCloud cloud =
        new AzureCloud("custom", URI.create("https://arm.example"), server.endpoint());
    AzureConnection connection =
        new AzureConnection(
            () -> cloud,
            new CredentialChoice(
                CredentialChoice.Kind.CLIENT_CERTIFICATE, "tenant", "client", pem.toString()),
            new Transport(
                    Optional.of(server.certificate()),
                    server.endpoint(),
                    AzureConnectionTest::unheard)
                .within(Hang.LIMIT),
            SystemTime.instance());

    assertThat(connection.token().text()).isEqualTo("given");
    assertThat(ASKED)
        .singleElement()
        .asString()
        .startsWith("/tenant/oauth2/v2.0/token ")
        .contains("client_assertion=", "scope=https%3A%2F%2Farm.example%2F.default");
  }

  @Test
  @DisplayName("trusts the authorities of azure-ca-bundle, and nobody else without it")
  void caBundle() throws Exception {
    CredentialChoice credential = CredentialChoice.EMULATOR;
    assertThat(
            interfaces(
                connection(server.endpoint(), credential, Optional.of(server.certificate()))))
        .isZero();
    AzureConnection untrusting = connection(server.endpoint(), credential, Optional.empty());
    assertThatThrownBy(() -> interfaces(untrusting)).isInstanceOf(ArmFailure.class);
  }

  private static void send(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
