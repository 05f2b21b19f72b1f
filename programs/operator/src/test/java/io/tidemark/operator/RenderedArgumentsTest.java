package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.testing.Hang;
import io.tidemark.testing.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("kubernetes")
@Tag("long") // helm and kustomize must be built
@DisplayName("The arguments that Helm and kustomize render")
class RenderedArgumentsTest {
  private static final Path DEPLOY = Repository.root().resolve("deploy");

  @TempDir private Path directory;

  private String output(String program, String... arguments) throws Exception {
    Path out = directory.resolve("out.txt");
    List<String> command = new ArrayList<>();
    command.add(ApiServer.binaries().resolve(program).toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectOutput(out.toFile());
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("HOME", directory.toString());
    Process process = builder.start();
    assertThat(process.waitFor(5 * Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    return Files.readString(out);
  }

  private List<String> rendered(String... options) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("template", "tidemark", DEPLOY.resolve("helm/tidemark").toString()));
    command.addAll(List.of(options));
    List<List<String>> all = DeployedArguments.of(output("helm", command.toArray(String[]::new)));
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  static Stream<Path> values() throws Exception {
    return DeployedArgumentsTest.values();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("values")
  @DisplayName("DC-6 from an example of values are accepted by run, the settings among them")
  void chart(Path values) throws Exception {
    assertThat(DeployedArguments.read(rendered("--values", values.toString())).choice().name())
        .isNotEmpty();
  }

  @Test
  @DisplayName("DC-6 from the default values are accepted by run")
  void defaults() throws Exception {
    assertThat(DeployedArguments.read(rendered()).choice().name()).isEqualTo("aws");
  }

  @Test
  @DisplayName("have numbers without an exponent, lists with commas and maps as JSON")
  void forms() throws Exception {
    Path values = directory.resolve("values.yaml");
    Files.writeString(
        values,
        """
        settings:
          cluster-name: 123456789012
          limit-ipam-api-qps: 0.5
          subnet-ids-filter: [a, b]
          aws-instance-limit-mapping: {a1.medium: "2,4,4"}
        """);

    assertThat(rendered("--values", values.toString()))
        .contains(
            "--cluster-name=123456789012",
            "--limit-ipam-api-qps=0.5",
            "--subnet-ids-filter=a,b",
            "--aws-instance-limit-mapping={\"a1.medium\":\"2,4,4\"}");
  }

  @ParameterizedTest(name = "deploy/{0}")
  @ValueSource(
      strings = {
        "base",
        "cluster-pool",
        "node-cidr",
        "node-cidr-cloud",
        "node-id",
        "taint-exhausted"
      })
  @DisplayName("DC-6 from a folder of deploy are accepted by run")
  void kustomized(String folder) throws Exception {
    List<List<String>> all =
        DeployedArguments.of(output("kustomize", "build", DEPLOY.resolve(folder).toString()));

    assertThat(all).hasSize(1);
    assertThat(DeployedArguments.read(all.get(0)).choice().name()).isNotEmpty();
  }
}
