package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.deploy.DeployedJava;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code tidemark} in a small checkout, with a Java and a Maven that are scripts, too.
 */
@DisplayName("The launcher")
@Tag("process")
class LauncherTest {
  private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));

  @TempDir private Path temporary;
  private Path directory;

  /** A Java that prints what it is to run, and keeps its options; a Maven that makes two jars. */
  @BeforeEach
  void checkout() throws IOException {
    directory = Files.createDirectories(temporary.resolve("a checkout"));
    Files.copy(
        Repository.root().resolve("tidemark"),
        directory.resolve("tidemark"),
        StandardCopyOption.COPY_ATTRIBUTES);
    Path link = Repository.root().resolve("kubectl-tidemark");
    Files.createSymbolicLink(directory.resolve("kubectl-tidemark"), Files.readSymbolicLink(link));
    for (String module : List.of("libraries/base", "programs/operator")) {
      old(module + "/pom.xml");
      old(module + "/src/main/java/A.java");
    }
    for (String file :
        List.of("pom.xml", ".mvn/maven.config", "data/a.csv", "examples/azure/arm.yaml")) {
      old(file);
    }
    program(
        "bin/java",
        """
        case "$1" in
          -version) echo 'openjdk version "17.0.1"' >&2; exit ;;
          --list-modules) echo jdk.compiler@17.0.1; exit ;;
        esac
        printf '%s\\n' "$@" >"${0%/*}/options"
        while [ $# -gt 0 ] && [ "$1" != -cp ]; do shift; done
        shift 3
        printf '[%s]' "$@"
        """);
    program(
        "bin/mvn",
        """
        [ "$1" = --version ] && { echo 'Apache Maven 3.8.7'; exit; }
        echo "$*" >"${0%/*}/goals"
        echo '[INFO] Downloaded from central: a.jar'
        for module in libraries/base programs/operator; do
          mkdir -p $module/target/classes
          echo "[INFO] Building Tidemark :: ${module##*/} 0.1.0-SNAPSHOT   [$((n += 1))/2]"
          echo new >$module/target/tidemark-${module##*/}.jar
          echo new >$module/target/classes/A.class
        done
        [ ! -f broken ] || { echo '[ERROR] A.java does not compile'; exit 1; }
        [ ! -p slow ] || {
          touch -r "$TMPDIR"/*/started */*/target/*.jar */*/target/classes/*
          echo here >slow
          exec sleep 600
        }
        echo "$PWD/libraries/base/target/tidemark-base.jar" >programs/operator/target/libraries
        """);
  }

  private void old(String name) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "");
    Files.setLastModifiedTime(file, LONG_AGO);
  }

  private void program(String name, String body) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + body);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Process start(Path program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(temporary.toFile());
    builder.environment().remove("JAVA_HOME");
    builder.environment().put("TMPDIR", temporary.toString());
    builder.environment().merge("PATH", "", (path, none) -> directory.resolve("bin") + ":" + path);
    return builder.start();
  }

  private record Ended(int code, String out, List<String> errors) {}

  private static Ended end(Process process) throws Exception {
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), out, errors.lines().toList());
  }

  private Ended run(String... arguments) throws Exception {
    return end(start(directory.resolve("tidemark"), arguments));
  }

  private List<String> javaArguments() throws IOException {
    return Files.readAllLines(directory.resolve("bin/options"));
  }

  private List<Path> built() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(each -> each.toString().contains("/target/") && Files.isRegularFile(each))
          .toList();
    }
  }

  @Test
  @DisplayName("KC-6 as kubectl-tidemark, linked from anywhere, runs the commands of the plugin")
  void plugin() throws Exception {
    Path bin = Files.createDirectories(directory.resolve("links"));
    Path linked = bin.resolve("kubectl-tidemark");
    Files.createSymbolicLink(linked, directory.resolve("kubectl-tidemark"));

    assertThat(end(start(linked, "explain", "a b")).out()).isEqualTo("[kubectl][explain][a b]");
    assertThat(end(start(directory.resolve("kubectl-tidemark"), "status")).out())
        .isEqualTo("[kubectl][status]");
    assertThat(run("status").out()).isEqualTo("[status]");
  }

  @Test
  @DisplayName(
      "It gives an operator the options of deploy/base, save for those of its limit of memory")
  void options() throws Exception {
    assertThat(run("run").out()).isEqualTo("[run]");

    assertThat(javaArguments())
        .containsAll(
            DeployedJava.options().stream().filter(each -> !each.contains("RAM")).toList());
  }

  @Test
  @DisplayName("It builds the program without its tests, tells how far it is, and starts it")
  void build() throws Exception {
    Ended ended = run("status");

    assertThat(ended.code()).isZero();
    assertThat(ended.out()).isEqualTo("[status]");
    assertThat(ended.errors())
        .first()
        .asString()
        .isEqualTo("tidemark: building the program (operator), because it is not built yet.");
    assertThat(ended.errors())
        .endsWith("tidemark: building 1 of 2: base", "tidemark: building 2 of 2: operator");
    assertThat(Files.readString(directory.resolve("bin/goals")))
        .contains("--projects programs/operator --also-make -Dmaven.test.skip=true")
        .doesNotContain("package", "surefire", "shade", "cyclonedx");
    String target = directory + "/%s/target/tidemark-%s.jar";
    assertThat(javaArguments())
        .containsSequence(
            "-cp",
            target.formatted("programs/operator", "operator")
                + ":"
                + target.formatted("libraries/base", "base"),
            "io.tidemark.operator.Main");
  }

  @Test
  @DisplayName("It builds again when a source file is newer or a jar is gone, and only then")
  void again() throws Exception {
    run("status");
    assertThat(run("status").errors()).noneMatch(each -> each.contains("building"));

    Files.setLastModifiedTime(
        directory.resolve("libraries/base/src/main/java/A.java"),
        FileTime.from(Instant.now().plusSeconds(3600)));
    assertThat(run("status").errors())
        .first()
        .asString()
        .isEqualTo(
            "tidemark: building the program (operator), because libraries/base/src/main/java/A.java is newer.");

    Files.setLastModifiedTime(directory.resolve("libraries/base/src/main/java/A.java"), LONG_AGO);
    Path jar = directory.resolve("libraries/base/target/tidemark-base.jar");
    Files.delete(jar);
    assertThat(run("status").errors())
        .first()
        .asString()
        .isEqualTo("tidemark: building the program (operator), because " + jar + " is gone.");
  }

  @Test
  @DisplayName("It prints Maven's output when a build fails, and builds again at the next start")
  void failed() throws Exception {
    Files.writeString(directory.resolve("broken"), "");

    Ended ended = run("status");

    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.errors())
        .contains("[ERROR] A.java does not compile")
        .endsWith("tidemark: the build failed; its output is above.");

    Files.delete(directory.resolve("broken"));
    assertThat(run("status").out()).isEqualTo("[status]");
  }

  @Test
  @DisplayName("An interrupted build ends Maven and leaves nothing half-built behind")
  void interrupted() throws Exception {
    Path slow = directory.resolve("slow");
    assertThat(new ProcessBuilder("mkfifo", slow.toString()).start().waitFor()).isZero();
    Process process = start(directory.resolve("tidemark"), "status");
    assertThat(Files.readString(slow)).isEqualTo("here\n"); // Maven has written its files

    process.toHandle().destroy();

    Ended ended = end(process);
    assertThat(ended.code()).isEqualTo(130);
    assertThat(ended.errors())
        .endsWith("tidemark: the build was interrupted; nothing of it is kept.");
    assertThat(built()).isEmpty();
  }
}
