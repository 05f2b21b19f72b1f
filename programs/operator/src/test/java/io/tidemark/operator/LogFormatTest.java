package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.kubernetes.server.Kubeconfig;
import io.tidemark.operator.Program.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@DisplayName("Log lines")
class LogFormatTest {
  private final Manifests manifests;

  LogFormatTest(@TempDir Path directory) {
    this.manifests = new Manifests(directory).with("a.yaml", Manifests.fresh("worker-a"));
  }

  private static List<JsonNode> lines(String err) throws Exception {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : err.lines().toList()) {
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }

  @Test
  @DisplayName("are one JSON object each on demand, with what the message names as fields")
  void json() throws Exception {
    Program program =
        manifests
            .start("run --provider=mock --port=0 --log-format=json --log-level=info")
            .awaitErr("\"state\":\"ok\"");
    List<JsonNode> lines = lines(program.stop().err());

    assertThat(lines)
        .allSatisfy(
            line -> {
              assertThat(line.path("time").asText()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
              assertThat(line.path("level").asText()).isIn("INFO", "WARN");
              assertThat(line.path("logger").asText()).startsWith("io.tidemark.");
            })
        .anySatisfy(
            line -> {
              assertThat(line.path("node").asText()).isEqualTo("worker-a");
              assertThat(line.path("state").asText()).isEqualTo("ok");
              assertThat(line.path("available").asText()).isEqualTo("8");
              assertThat(line.path("message").asText()).startsWith("Node. node=worker-a state=ok");
            });
  }

  @Test
  @DisplayName("tell at no level what the HTTP server reads and writes")
  void httpServer() throws Exception {
    Program program =
        manifests
            .start("run --provider=mock --port=0 --log-format=json --log-level=trace")
            .awaitErr("endpoints=http");
    assertThat(lines(program.stop().err()))
        .extracting(line -> line.path("logger").asText())
        .noneMatch(logger -> logger.startsWith("org.eclipse.jetty"));
  }

  @Test
  @DisplayName("tell at no level what the HTTP client of the Kubernetes API reads and writes")
  void httpClient(@TempDir Path folder) throws Exception {
    Path kubeconfig = Kubeconfig.write(folder, "https://127.0.0.1:1");
    Result result =
        Program.run(
                Program.arguments(
                    "status --provider=mock --timeout=2s --log-level=trace",
                    "--kubeconfig=" + kubeconfig))
            .ends(4);
    assertThat(result.err())
        .contains(" DEBUG DefaultSharedIndexInformer: ")
        .doesNotContain(" DEBUG debug: ");
  }

  @Test
  @DisplayName("tell what the client of the Kubernetes API retries without its stack traces")
  void retried() throws Exception {
    Program program =
        manifests.start("run --provider=mock --port=0 --log-level=info").awaitErr("endpoints=http");
    Throwable cut = new IllegalStateException("the watch was cut");
    for (String logger : List.of("dsl.internal.AbstractWatchManager", "jdkhttp.JdkWebSocketImpl")) {
      LoggerFactory.getLogger("io.fabric8.kubernetes.client." + logger).error("failed", cut);
    }
    LoggerFactory.getLogger("io.fabric8.kubernetes.client.informers.Some").error("a defect");
    String err = program.stop().err();
    assertThat(err).contains("a defect").doesNotContain("the watch was cut");
  }
}
