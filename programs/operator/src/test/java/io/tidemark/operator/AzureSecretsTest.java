package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.testing.TlsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("process")
@DisplayName("Secrets of Azure, in a process whose environment has them")
class AzureSecretsTest {
  private static final String SECRET = "Pl4nted+Secret/0815";
  private static final String TOKEN = "eyJhbGciOiJub25lIn0.eyJQbDRudGVkIjoxfQ.UGw0bnRlZA";
  private static final String ASSERTION = "eyJhbGciOiJub25lIn0.eyJhdWQiOiJQbDRudGVkIn0.QXNzZXJ0";

  /** The program's log line when it has read all that Azure answers. */
  private static final String FAILED = "The full scan of the cloud failed";

  @TempDir private Path folder;
  private TlsServer azure;
  private HttpServer metadata;

  /** The authority refuses who has the wrong secret; Resource Manager refuses everybody. */
  @BeforeEach
  void start() throws Exception {
    azure = TlsServer.start(folder, AzureSecretsTest::answer);
    metadata = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    metadata.createContext("/", AzureSecretsTest::answer);
    metadata.start();
  }

  @AfterEach
  void stop() {
    azure.close();
    metadata.stop(0);
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String form = URLDecoder.decode(body, StandardCharsets.UTF_8);
    String path = exchange.getRequestURI().getPath();
    if (form.contains("wrong")) {
      send(
          exchange,
          401,
          "{\"error\":\"invalid_client\",\"error_description\":\"AADSTS7000215: no: "
              + form
              + "\"}");
    } else if (path.contains("/oauth2/")) {
      send(
          exchange,
          200,
          "{\"token_type\":\"Bearer\",\"expires_in\":3600,\"expires_on\":\"4070908800\","
              + "\"access_token\":\""
              + TOKEN
              + "\"}");
    } else {
      String header = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
      send(
          exchange,
          403,
          "{\"error\":{\"code\":\"AuthorizationFailed\",\"message\":\"no: " + header + "\"}}");
    }
  }

  private static void send(HttpExchange exchange, int code, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private Map<String, String> environment(String credential) throws IOException {
    Map<String, String> environment = new TreeMap<>();
    if (!credential.equals("machine")) {
      environment.put("AZURE_CLIENT_ID", "client");
      environment.put("AZURE_TENANT_ID", "11111111-0000-0000-0000-000000000001");
    }
    switch (credential) {
      case "secret" -> environment.put("AZURE_CLIENT_SECRET", SECRET);
      case "wrong secret" -> environment.put("AZURE_CLIENT_SECRET", SECRET + "/wrong");
      case "workload" ->
          environment.put(
              "AZURE_FEDERATED_TOKEN_FILE",
              Files.writeString(folder.resolve("assertion"), ASSERTION).toString());
      default -> assertThat(credential).isEqualTo("machine");
    }
    return environment;
  }

  private String run(String credential, String... more) throws Exception {
    Path nodes = Files.createDirectories(folder.resolve("nodes"));
    Files.writeString(
        nodes.resolve("a.yaml"),
        """
        apiVersion: cilium.io/v2
        kind: CiliumNode
        metadata:
          name: worker-a
        spec:
          instance-id: /subscriptions/s/resourcegroups/g/providers/microsoft.compute/virtualmachines/a
          azure: {}
        """);
    List<String> words =
        List.of(
            "status",
            "--provider=azure",
            "--timeout=5m",
            "--nodes=" + nodes,
            "--azure-cloud=custom",
            "--azure-resource-manager-endpoint=" + azure.endpoint(),
            "--azure-authority-host=" + azure.endpoint(),
            "--azure-ca-bundle=" + azure.certificate(),
            "--azure-metadata-endpoint=http://127.0.0.1:" + metadata.getAddress().getPort());
    ProcessBuilder builder =
        Program.process(Stream.concat(words.stream(), Stream.of(more)).toList())
            .redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("AZURE_"));
    builder.environment().putAll(environment(credential));
    String output = ProcessTest.endedAt(builder.start(), FAILED);
    assertThat(output).contains(FAILED);
    return output;
  }

  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource({"secret, text", "wrong secret, json", "workload, text", "machine, json"})
  @DisplayName("are in no output, with everything logged")
  void everything(String credential, String format) throws Exception {
    String output = run(credential, "--debug", "--log-level=trace", "--log-format=" + format);

    assertThat(output)
        .contains(credential.equals("wrong secret") ? "AADSTS7000215" : "AuthorizationFailed")
        .doesNotContain(SECRET)
        .doesNotContain(TOKEN)
        .doesNotContain(ASSERTION)
        .doesNotContain("Pl4nted");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"wrong secret", "machine"})
  @DisplayName("and the errors of Azure's libraries are told by our own lines alone")
  void quiet(String credential) throws Exception {
    assertThat(run(credential, "--log-level=info"))
        .contains(credential.equals("machine") ? "AuthorizationFailed" : "AADSTS7000215")
        .doesNotContain("\tat ", "ERROR", "Exception");
  }
}
