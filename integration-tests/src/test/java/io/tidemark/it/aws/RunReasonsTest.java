package io.tidemark.it.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.it.program.NodeFolder;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.testing.Hang;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@DisplayName("The last table of tidemark run --once --provider=aws names the cause")
class RunReasonsTest {
  private static final String NOBODY = "http://127.0.0.1:9";

  @TempDir private Path directory;

  /** Its time is made longer until it has this reason: a slow machine needs more. */
  private static OperatorProcess.Result runsOut(String reason, Path nodes, String output) {
    int seconds = 25;
    OperatorProcess.Result result;
    do {
      result =
          OperatorProcess.run(
              OperatorProcess.aws("111111111111"),
              List.of(
                  "run",
                  "--once",
                  "--provider=aws",
                  "--aws-region=eu-west-1",
                  "--cluster-name=example",
                  "--nodes=" + nodes,
                  "--ec2-api-endpoint=" + NOBODY,
                  "--sts-api-endpoint=" + NOBODY,
                  "--aws-metadata-endpoint=" + NOBODY,
                  "--output=" + output,
                  "--timeout=" + seconds + "s"));
      seconds *= 2;
    } while (!result.out().contains(reason) && seconds < Hang.SECONDS);
    return result;
  }

  @Test
  @DisplayName("of an endpoint that refuses the connection, for people and for programs")
  void refusedConnection(@TempDir Path other) throws Exception {
    NodeFolder.copy("examples/aws/nodes", directory);
    NodeFolder.copy("examples/aws/nodes", other);
    CompletableFuture<OperatorProcess.Result> atTheSameTime =
        CompletableFuture.supplyAsync(() -> runsOut("the last full scan failed", other, "text"));
    OperatorProcess.Result json = runsOut("the last full scan failed", directory, "json");
    OperatorProcess.Result text = atTheSameTime.join();

    assertThat(text.exitCode()).isEqualTo(4);
    assertThat(text.out())
        .containsPattern(
            "TM-1212 INSTANCES_API_UNSTABLE: the last full scan failed with TM-2002 CALL_FAILED"
                + " notSent: Describe\\w+: .*[Cc]onnect");
    assertThat(json.out())
        .contains("\"reason\" : \"TM-1212\"")
        .containsPattern("\"detail\" : \"the last full scan failed with TM-2002 .*[Cc]onnect");
  }
}
