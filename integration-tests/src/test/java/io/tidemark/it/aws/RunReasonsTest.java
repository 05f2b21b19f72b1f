package io.tidemark.it.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.it.program.NodeFolder;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.testing.Hang;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@DisplayName("The last table of tidemark run --once --provider=aws names the cause")
class RunReasonsTest {
  private static final URI NOBODY = URI.create("http://127.0.0.1:9");

  @TempDir private Path directory;

  @BeforeEach
  void nodes() throws Exception {
    NodeFolder.copy("examples/aws/nodes", directory);
  }

  private OperatorProcess.Result run(URI endpoint, String... more) {
    return run(directory, endpoint, more);
  }

  private static OperatorProcess.Result run(Path nodes, URI endpoint, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "run",
                "--once",
                "--provider=aws",
                "--aws-region=eu-west-1",
                "--cluster-name=example",
                "--nodes=" + nodes,
                "--ec2-api-endpoint=" + endpoint,
                "--sts-api-endpoint=" + endpoint,
                "--aws-metadata-endpoint=" + NOBODY));
    all.addAll(List.of(more));
    return OperatorProcess.run(OperatorProcess.aws("111111111111"), all);
  }

  /** Its time is made longer until it has this reason: a slow machine needs more. */
  private static OperatorProcess.Result runsOut(
      String reason, Path nodes, URI endpoint, String... more) {
    String[] words = Arrays.copyOf(more, more.length + 1);
    int seconds = 25;
    OperatorProcess.Result result;
    do {
      words[more.length] = "--timeout=" + seconds + "s";
      result = run(nodes, endpoint, words);
      seconds *= 2;
    } while (!result.out().contains(reason) && seconds < Hang.SECONDS);
    return result;
  }

  @Test
  @DisplayName("of an endpoint that refuses the connection, for people and for programs")
  void refusedConnection(@TempDir Path other) throws Exception {
    NodeFolder.copy("examples/aws/nodes", other);
    CompletableFuture<OperatorProcess.Result> atTheSameTime =
        CompletableFuture.supplyAsync(() -> runsOut("the last full scan failed", other, NOBODY));
    OperatorProcess.Result json =
        runsOut("the last full scan failed", directory, NOBODY, "--output=json");
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

  @Test
  @DisplayName("of credentials that are refused, without what signed the request")
  void refusedCredentials() throws Exception {
    try (Ec2Emulator.Listening listening =
        Ec2Emulator.listen(0, Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()))) {
      listening
          .emulator()
          .faults(
              List.of(
                  Ec2FaultRule.failing(
                      "DescribeSubnets",
                      new Ec2Error(
                          "ExpiredToken",
                          "The token is expired.\nx-amz-security-token:SECRET",
                          400))));
      OperatorProcess.Result result = runsOut("noCredentials", directory, listening.endpoint());

      assertThat(result.out())
          .contains("noCredentials: ec2:DescribeSubnets: ExpiredToken: The token is expired.");
      assertThat(result.out() + result.err()).doesNotContain("SECRET");
    }
  }

  @Test
  @DisplayName("of a region where none of the instances is, and never advises to delete nodes")
  void elsewhere() throws Exception {
    try (Ec2Emulator.Listening listening = EmulatorMainJobTest.listen()) {
      NodeFolder nodes = NodeFolder.copy("examples/aws/nodes", directory);
      for (String file : List.of("worker-a.yaml", "worker-b.yaml")) {
        nodes.write(
            file,
            nodes
                .read(file)
                .replaceAll("instance-id: i-\\w+", "instance-id: i-0" + file.charAt(7)));
      }
      OperatorProcess.Result result = run(listening.endpoint()).ends(3);

      assertThat(result.out())
          .contains(
              "worker-a: TM-1222 INSTANCES_ELSEWHERE: neither i-0a nor any other instance that the"
                  + " nodes name exists in region eu-west-1 of account 111111111111. ")
          .contains("worker-b: TM-1222");
      assertThat(result.out() + result.err()).doesNotContainIgnoringCase("delete");
    }
  }
}
