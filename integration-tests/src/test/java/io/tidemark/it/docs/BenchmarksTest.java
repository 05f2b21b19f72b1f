package io.tidemark.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Repository;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code .ci/benchmarks} in a copy, whose programs measure nothing. */
@Tag("process")
@Tag("long")
@DisplayName("A run of the benchmarks")
class BenchmarksTest {
  private static final String REAL_JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  @TempDir private Path checkout;

  @BeforeEach
  void copy() throws Exception {
    for (String file : List.of(".ci/benchmarks", ".ci/History.java", "deploy/image/classes.gz")) {
      Path copy = checkout.resolve(file);
      Files.createDirectories(copy.getParent());
      Files.copy(Repository.root().resolve(file), copy);
    }
    Files.createDirectories(checkout.resolve("integration-tests"));
    Files.createDirectories(checkout.resolve("programs/operator/target"));
    program(".ci/kubernetes/run", "exec \"$@\"");
    program(".ci/kubernetes/manager", "");
    program("bin/mvn", "");
    program("bin/git", "echo abc");
    program(
        "bin/java",
        "case \"$*\" in *History.java*) exec '%s' \"$@\" ;; esac".formatted(REAL_JAVA),
        "case \"$*\" in *io.tidemark.*) echo \"got ${*##*io.tidemark.*[a-z] }: $SECONDS_EACH s\" ;; esac");
  }

  private void program(String name, String... lines) throws Exception {
    Path file = checkout.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\nexit 0\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private int run(String seconds, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", ".ci/benchmarks"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(checkout.toFile());
    builder.environment().remove("TIDEMARK_HISTORY");
    builder.environment().put("SECONDS_EACH", seconds);
    builder.environment().merge("PATH", "", (path, none) -> checkout.resolve("bin") + ":" + path);
    Process process = builder.redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    assertThat(code).as(out).isIn(0, 1);
    return code;
  }

  private List<String> history() throws Exception {
    return Files.readAllLines(checkout.resolve("docs/internals/benchmarks/history.tsv"));
  }

  @ParameterizedTest
  @CsvSource({
    "scale, scale 100 1000 10000",
    "scale 100000, scale 100000",
    "node-cidrs 7, node-cidrs 7 3",
    "cluster, cluster 10000 0",
  })
  @DisplayName("DC-4 has one name, with and without the default arguments, and is run with them")
  void name(String arguments, String suite) throws Exception {
    assertThat(run("5", arguments.split(" "))).isZero();

    assertThat(history())
        .hasSize(2)
        .last()
        .asString()
        .startsWith("abc")
        .contains('\t' + suite + '\t');
    assertThat(history().get(1)).contains("got " + suite.replaceFirst("\\S+ ", "") + '\t');
  }

  @Test
  @DisplayName("DC-4 is compared alone when its commit is named, as the gate does")
  void ofOneCommit() throws Exception {
    assertThat(run("5", "scale")).isZero();
    assertThat(run("7", "scale", "100", "1000", "10000")).isZero();
    program("bin/git", "echo def");
    assertThat(run("5", "cluster-pool")).isZero();

    assertThat(run("", "history")).isEqualTo(1);
    assertThat(run("", "history", "abc")).isEqualTo(1);
    assertThat(run("", "history", "def")).isZero();
  }
}
