package io.tidemark.provider.azure.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.scenario.ScenarioYaml;
import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.identity.AzureCloud;
import io.tidemark.provider.azure.identity.CredentialChoice;
import io.tidemark.provider.azure.network.ArmFailure;
import io.tidemark.provider.azure.network.Transport;
import io.tidemark.testing.TlsServer;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A connection to Azure, over sockets")
class AzureConnectionTest {
  private static final String SUBSCRIPTION = "00000000-0000-0000-0000-000000000001";

  private static AzureConnection connection(
      URI endpoint, CredentialChoice credential, Optional<Path> caBundle) {
    AzureCloud cloud = new AzureCloud("custom", endpoint, URI.create("https://login.example"));
    return new AzureConnection(
        () -> cloud, credential, new Transport(caBundle, endpoint), SystemTime.instance());
  }

  private static int interfaces(AzureConnection connection) throws Exception {
    AccessTokens.Token token = connection.token();
    return connection
        .arm(token::text)
        .interfacesOfGroup(SUBSCRIPTION, "nodes", Optional.empty())
        .items()
        .size();
  }

  @Test
  @DisplayName("gets the token of the machine's identity from the configured metadata endpoint")
  void machine() throws Exception {
    try (ArmEmulator.Listening azure = ArmEmulator.listen(0, ScenarioYaml.example())) {
      assertThat(
              interfaces(
                  connection(
                      azure.endpoint(),
                      new CredentialChoice.ManagedIdentity(Optional.empty()),
                      Optional.empty())))
          .isEqualTo(2);
    }
  }

  @Test
  @DisplayName("asks an emulator without a secret")
  void emulator() throws Exception {
    try (ArmEmulator.Listening azure = ArmEmulator.listen(0, ScenarioYaml.example())) {
      assertThat(
              interfaces(
                  connection(
                      azure.endpoint(), new CredentialChoice.StaticToken(), Optional.empty())))
          .isEqualTo(2);
    }
  }

  @Test
  @DisplayName("trusts the authorities of azure-ca-bundle, and nobody else without it")
  void caBundle(@TempDir Path folder) throws Exception {
    try (TlsServer server = TlsServer.start(folder, AzureConnectionTest::noInterfaces)) {
      CredentialChoice credential = new CredentialChoice.StaticToken();
      assertThat(
              interfaces(
                  connection(server.endpoint(), credential, Optional.of(server.certificate()))))
          .isZero();
      AzureConnection untrusting = connection(server.endpoint(), credential, Optional.empty());
      assertThatThrownBy(() -> interfaces(untrusting)).isInstanceOf(ArmFailure.class);
    }
  }

  private static void noInterfaces(HttpExchange exchange) throws IOException {
    byte[] body = "{\"value\":[]}".getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
