package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Hang;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@DisplayName("A process of its own")
class ProcessTest {
  @TempDir private Path directory;

  private static Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Main.class.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  @Test
  @DisplayName("ends orderly by SIGTERM, with 0 and the nodes written")
  void sigterm() throws Exception {
    Manifests manifests = new Manifests(directory).with("a.yaml", Manifests.fresh("worker-a"));
    Process process = start(Program.arguments("run --provider=mock --port=0", manifests.option()));
    StringBuilder output = new StringBuilder();
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      String line = reader.readLine();
      while (line != null) {
        output.append(line).append('\n');
        if (line.contains("node=worker-a state=ok")) {
          process.toHandle().destroy(); // leaves the streams open
        }
        line = reader.readLine();
      }
    }

    assertThat(process.waitFor(5 * Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output.toString()).isZero();
    assertThat(output).contains("worker-a     0          8       0       0           1  ok");
    assertThat(manifests.read("a.yaml")).contains("pool:");
    assertThat(directory).isDirectoryNotContaining(file -> file.toString().contains("lock"));
  }

  @Test
  @DisplayName("passes the exit code of its command on")
  void exitCode() throws Exception {
    Process process = start("run", "--provider=gcp", "--nodes=" + directory);

    assertThat(process.waitFor(5 * Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(2);
  }
}
