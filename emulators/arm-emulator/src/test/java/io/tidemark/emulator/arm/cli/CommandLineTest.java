package io.tidemark.emulator.arm.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tidemark.emulator.kit.cli.EmulatorProgram;
import io.tidemark.testing.DocumentCommands;
import io.tidemark.time.StopSignal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@DisplayName("The Azure emulator's command line")
class CommandLineTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** With the stop asked for before it starts, so that it ends as soon as it listens. */
  private int run(String... arguments) {
    StopSignal stop = new StopSignal();
    stop.request();
    PrintWriter answers = new PrintWriter(out);
    return EmulatorProgram.run(
        new ArmEmulatorCommand(answers, stop), answers, new PrintWriter(err), arguments);
  }

  @Test
  @DisplayName("has the help that src/test/resources/help holds")
  void help() throws IOException {
    assertThat(run("--help")).isZero();
    try (InputStream in = CommandLineTest.class.getResourceAsStream("/help/arm-emulator.txt")) {
      assertThat(in).isNotNull();
      assertThat(out.toString())
          .isEqualToNormalizingNewlines(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  @DisplayName("tells its name with its version")
  void version() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).startsWith("tidemark arm-emulator ");
  }

  @Test
  @DisplayName("DC-1 has the options that documents name")
  void documented() {
    CommandLine line =
        new CommandLine(new ArmEmulatorCommand(new PrintWriter(out), new StopSignal()));
    assertThat(DocumentCommands.calls("arm-emulator"))
        .isNotEmpty()
        .allSatisfy(
            call ->
                assertThatCode(() -> line.parseArgs(call.arguments())).doesNotThrowAnyException());
  }

  @Test
  @DisplayName("says where the API is once it can be called, and ends with 0 when asked to")
  void startsAndEnds() {
    assertThat(run("--port", "0", "--no-throttle", "--seed", "7")).isZero();
    assertThat(out.toString())
        .matches("Azure Resource Manager is at http://127\\.0\\.0\\.1:[0-9]+/?\\R");
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "--port, 65536, --port is 65536; expected 0 to 65535",
    "--port, http, is not a whole number",
    "--seed, x, is not a whole number",
    "--colour, red, --colour",
  })
  @DisplayName("refuses what it does not understand with 2, the value and a remedy")
  void misused(String option, String value, String problem) {
    assertThat(run(option, value)).isEqualTo(2);
    assertThat(err.toString()).contains("TM-1020 USAGE_REFUSED", problem, "--help");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  @DisplayName("refuses a wrong scenario with 2 and all its problems")
  void wrongScenario(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("a.yaml");
    Files.writeString(file, "seed: x\ncolour: red\n");
    assertThat(run("--scenario", file.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains("TM-1024 SCENARIO_REFUSED", "seed is 'x'", "colour is unknown");
  }
}
