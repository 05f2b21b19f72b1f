package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.deploy.DeployedJava;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The launcher")
class LauncherTest {
  @TempDir private Path directory;

  /** A checkout that is built, and a Java that prints what it is to run, and keeps its options. */
  @BeforeEach
  void checkout() throws IOException {
    Files.copy(
        Repository.root().resolve("tidemark"),
        directory.resolve("tidemark"),
        StandardCopyOption.COPY_ATTRIBUTES);
    Path link = Repository.root().resolve("kubectl-tidemark");
    Files.createSymbolicLink(directory.resolve("kubectl-tidemark"), Files.readSymbolicLink(link));
    Path target = Files.createDirectories(directory.resolve("operator/target"));
    Files.writeString(target.resolve("tidemark.jar"), "");
    Path java = Files.createDirectories(directory.resolve("jdk/bin")).resolve("java");
    Files.writeString(
        java,
        """
        #!/bin/sh
        [ "$1" = -version ] && { echo 'openjdk version "17.0.1"' >&2; exit 0; }
        printf '%s\\n' "$@" >"${0%/*}/options"
        while [ $# -gt 0 ] && [ "$1" != -jar ]; do shift; done
        shift 2
        printf '[%s]' "$@"
        """);
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private String run(Path program, String... arguments) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(program.toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
    Process process =
        builder
            .directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return out;
  }

  @Test
  @DisplayName("KC-6 as kubectl-tidemark, linked from anywhere, runs the commands of the plugin")
  void plugin() throws Exception {
    Path bin = Files.createDirectories(directory.resolve("bin"));
    Path linked = bin.resolve("kubectl-tidemark");
    Files.createSymbolicLink(linked, directory.resolve("kubectl-tidemark"));

    assertThat(run(linked, "explain", "a b")).isEqualTo("[kubectl][explain][a b]");
    assertThat(run(directory.resolve("kubectl-tidemark"), "status")).isEqualTo("[kubectl][status]");
    assertThat(run(directory.resolve("tidemark"), "status")).isEqualTo("[status]");
  }

  @Test
  @DisplayName(
      "It gives an operator the options of deploy/base, save for those of its limit of memory")
  void options() throws Exception {
    assertThat(run(directory.resolve("tidemark"), "run")).isEqualTo("[run]");

    assertThat(Files.readAllLines(directory.resolve("jdk/bin/options")))
        .containsAll(
            DeployedJava.options().stream().filter(each -> !each.contains("RAM")).toList());
  }
}
