package io.tidemark.emulator.ec2.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tidemark.emulator.kit.cli.EmulatorProgram;
import io.tidemark.testing.DocumentCommands;
import io.tidemark.time.StopSignal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@DisplayName("The emulator's command line")
class CommandLineTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** With the stop asked for before it starts, so that it ends as soon as it listens. */
  private int run(String... arguments) {
    StopSignal stop = new StopSignal();
    stop.request();
    PrintWriter answers = new PrintWriter(out);
    return EmulatorProgram.run(
        new Ec2EmulatorCommand(answers, stop), answers, new PrintWriter(err), arguments);
  }

  @Test
  @DisplayName("has the help that src/test/resources/help holds")
  void help() throws IOException {
    assertThat(run("--help")).isZero();

    try (InputStream in = CommandLineTest.class.getResourceAsStream("/help/ec2-emulator.txt")) {
      assertThat(in).isNotNull();
      assertThat(out.toString())
          .isEqualToNormalizingNewlines(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  @DisplayName("DC-1 has the options that documents name")
  void documented() {
    CommandLine line =
        new CommandLine(new Ec2EmulatorCommand(new PrintWriter(out), new StopSignal()));
    assertThat(DocumentCommands.calls("ec2-emulator"))
        .isNotEmpty()
        .allSatisfy(
            call ->
                assertThatCode(() -> line.parseArgs(call.arguments())).doesNotThrowAnyException());
  }

  @Test
  @DisplayName("says where the API is once it can be called, and ends with 0 when asked to")
  void startsAndEnds() {
    assertThat(run("--port", "0", "--no-throttle", "--seed", "7")).isZero();

    assertThat(out.toString()).matches("EC2 is at http://127\\.0\\.0\\.1:[0-9]+\\R");
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "--port, 65536, --port is 65536; expected 0 to 65535",
    "--port, -1, --port is -1; expected 0 to 65535",
    "--port, http, is not a whole number",
    "--imds-port, 65536, --imds-port is 65536; expected 0 to 65535",
    "--imds-port, http, is not a whole number",
    "--imds-instance, i-0123456789abcdef0, --imds-instance is given without --imds-port",
    "--imds-role, node, --imds-role is given without --imds-port",
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
  @DisplayName("refuses an instance id and a role name that cannot be")
  void imdsValues() {
    assertThat(run("--imds-port", "0", "--imds-instance", "first")).isEqualTo(2);
    assertThat(err.toString()).contains("--imds-instance is first; expected i- and hex digits");
    assertThat(run("--imds-port", "0", "--imds-role", "a/b")).isEqualTo(2);
    assertThat(err.toString()).contains("--imds-role is a/b; expected a role's name");
  }

  @Test
  @DisplayName("says where the instance metadata is when it is asked for")
  void metadata() {
    assertThat(run("--port", "0", "--imds-port", "0", "--imds-role", "node")).isZero();

    assertThat(out.toString())
        .matches(
            "EC2 is at http://127\\.0\\.0\\.1:[0-9]+\\R"
                + "Instance metadata is at http://127\\.0\\.0\\.1:[0-9]+\\R");
  }

  @Test
  @DisplayName("starts with a scenario, and refuses one with 2 and all its problems")
  void scenario(@TempDir Path directory) throws IOException {
    Path good =
        Files.writeString(directory.resolve("good.yaml"), "vpcs: [{name: v, cidr: 10.0.0.0/16}]");
    assertThat(run("--port", "0", "--scenario", good.toString(), "--seed", "3")).isZero();

    Path bad = Files.writeString(directory.resolve("bad.yaml"), "zones: 0\ncolour: red\n");
    assertThat(run("--port", "0", "--scenario", bad.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains("TM-1024 SCENARIO_REFUSED", "bad.yaml:1: zones is '0'", "bad.yaml:2: colour")
        .doesNotContain("\tat ");
    Path refused =
        Files.writeString(directory.resolve("r.yaml"), "vpcs: [{name: v, cidr: 10.0.0.0/8}]");
    assertThat(run("--port", "0", "--scenario", refused.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("vpcs[0] is refused by EC2");
  }

  @Test
  @DisplayName("ends with 2 when the port is taken, and says which and what to do")
  void portTaken() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(other.getLocalPort());

      assertThat(run("--port", port)).isEqualTo(2);
      assertThat(err.toString())
          .contains("TM-1022 PORT_TAKEN", "--port " + port, "Choose another port")
          .doesNotContain("\tat ");
    }
  }
}
