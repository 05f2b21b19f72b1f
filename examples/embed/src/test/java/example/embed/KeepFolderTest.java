package example.embed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@DisplayName("The embedding example")
class KeepFolderTest {
  @TempDir private Path folder;

  /** Blocks until the manifest has a pool. */
  private static String supplied(Path manifest) throws IOException, InterruptedException {
    String text = Files.readString(manifest);
    while (!text.contains("pool:")) {
      Thread.sleep(50);
      text = Files.readString(manifest);
    }
    return text;
  }

  @Test
  @Timeout(600)
  @DisplayName("writes the addresses of the mock cloud into the manifest, and ends when it is told")
  void keepsFolder() throws Exception {
    Path manifest = folder.resolve("worker-a.yaml");
    Files.copy(Path.of("..", "nodes", "worker-a.yaml"), manifest);
    Files.setLastModifiedTime(manifest, FileTime.fromMillis(0));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Dlogback.configurationFile=logback-quiet.xml",
                KeepFolder.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(output.readLine()).isEqualTo("cloud was read: true");
      assertThat(supplied(manifest))
          .containsPattern(
              "pre-allocate: 8\\n {4}pool:\\n"
                  + "( {6}10\\.[0-9.]+:\\n {8}resource: eni-\\w+\\n){8}status:");
      assertThat(process.toHandle().destroy()).as("SIGTERM; the output stays open").isTrue();
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(output.readLine()).isEqualTo("stopped");
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
