package io.tidemark.emulator.ec2.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Hang;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
@DisplayName("The emulator in a process of its own")
class ProcessTest {
  @Test
  @DisplayName("runs until SIGTERM and ends with 0")
  void sigterm() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--port",
                "0")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(reader.readLine()).startsWith("EC2 is at http://127.0.0.1:");
      assertThat(process.isAlive()).isTrue();
      process.toHandle().destroy();
      assertThat(reader.readLine()).isNull();
    }
    assertThat(process.waitFor(Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }
}
