package io.tidemark.emulator.ec2.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.ListenOptions;
import io.tidemark.emulator.ec2.SdkClients;
import io.tidemark.emulator.ec2.World;
import io.tidemark.emulator.ec2.imds.Imds;
import io.tidemark.emulator.kit.http.EmulatorFront;
import io.tidemark.http.RawClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.ec2.Ec2Client;

@DisplayName("Clients that send or read slowly")
class SlowClientsTest {
  private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";
  private static final String TOKEN =
      "PUT /latest/api/token"
          + HOST
          + "X-aws-ec2-metadata-token-ttl-seconds: 60\r\nConnection: close\r\n"
          + "Content-Length: 0\r\n\r\n";

  private Ec2Emulator.Listening listening;

  @BeforeEach
  void listen() throws IOException {
    listening =
        Ec2Emulator.listen(
            ListenOptions.of(0, World.options())
                .withMetadata(0, new Imds.Setting(Optional.empty(), Optional.empty())));
  }

  @AfterEach
  void close() {
    listening.close();
  }

  private int api() {
    return listening.endpoint().getPort();
  }

  private int metadata() {
    return listening.metadataEndpoint().orElseThrow().getPort();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "POST / HT",
        "POST / HTTP/1.1\r\nHost: loc",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nAction=",
        "GET /_tidemark/state HTTP/1.1\r\nHost: localhost\r\n\r\n"
      })
  @DisplayName("keep neither EC2 nor the metadata service from answering others")
  void slow(String begun) throws Exception {
    List<RawClient> slow = new ArrayList<>();
    slow.addAll(RawClient.slow("127.0.0.1", api(), 300, begun));
    slow.addAll(RawClient.slow("127.0.0.1", metadata(), 300, begun));
    try (Ec2Client ec2 = SdkClients.http(listening.endpoint(), World.ACCOUNT)) {
      assertThat(ec2.describeVpcs().vpcs()).hasSize(1);
    }
    assertThat(RawClient.ask("127.0.0.1", metadata(), TOKEN)).startsWith("HTTP/1.1 200");
    RawClient.close(slow);
  }

  @Test
  @DisplayName("who send too much are told so by a status")
  void tooLong() throws Exception {
    String filler = "x".repeat(EmulatorFront.LIMITS.headBytes());
    String announced = "Content-Length: " + (EmulatorFront.LIMITS.bodyBytes() + 1) + "\r\n\r\n";
    for (int port : List.of(api(), metadata())) {
      assertThat(ask(port, "GET /" + HOST + "A: " + filler + "\r\n\r\n"))
          .startsWith("HTTP/1.1 431");
      assertThat(ask(port, "GET /" + filler + HOST + "\r\n")).startsWith("HTTP/1.1 414");
      assertThat(ask(port, "POST /" + HOST + announced)).startsWith("HTTP/1.1 413");
    }
  }

  @Test
  @DisplayName("who send a broken chunk are told so by a status")
  void brokenChunk() throws Exception {
    String chunks = "Transfer-Encoding: chunked\r\n\r\nnonsense\r\nAction=\r\n0\r\n\r\n";
    for (int port : List.of(api(), metadata())) {
      assertThat(ask(port, "POST /" + HOST + chunks)).startsWith("HTTP/1.1 400");
    }
  }

  private static String ask(int port, String request) throws IOException {
    return RawClient.ask("127.0.0.1", port, request);
  }

  @Test
  @DisplayName("get with HEAD the headers of the page and of the state")
  void head() throws Exception {
    for (String path : List.of("/", "/_tidemark/state")) {
      String answer = ask(api(), "HEAD " + path + HOST + "Connection: close\r\n\r\n");
      assertThat(answer)
          .startsWith("HTTP/1.1 200")
          .contains("Content-Length: ")
          .endsWith("\r\n\r\n");
    }
  }
}
