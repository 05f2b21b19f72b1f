package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.operator.Program.Result;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The help")
class HelpTest {
  private static String golden(String command) throws IOException {
    String file = "/help/" + (command.isEmpty() ? "tidemark" : command.replace(' ', '-')) + ".txt";
    try (InputStream in = HelpTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest(name = "of tidemark {0}")
  @ValueSource(
      strings = {
        "",
        "run",
        "explain",
        "status",
        "doctor",
        "config",
        "node-cidr plan",
        "node-id plan",
        "simulate",
        "kubectl status",
        "kubectl explain",
        "kubectl doctor"
      })
  @DisplayName(
      "is what src/test/resources/help holds: a change of it is seen by whoever reviews it")
  void asRecorded(String command) throws IOException {
    Result result =
        command.isEmpty()
            ? Program.run("--help")
            : Program.run(Program.arguments(command, "--help"));

    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).isEqualToNormalizingNewlines(golden(command));
    assertThat(result.out()).contains("Exit codes").contains("Examples");
  }
}
