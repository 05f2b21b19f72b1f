package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.operator.Program.Result;
import io.tidemark.program.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@DisplayName("The help")
class HelpTest {
  private static String golden(String command) throws IOException {
    String file = "/help/" + command.replace(' ', '-') + ".txt";
    try (InputStream in = HelpTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest(name = "of tidemark {0}")
  @ValueSource(
      strings = {
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
    Result result = Program.run(Program.arguments(command, "--help"));

    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).isEqualToNormalizingNewlines(golden(command));
    assertThat(result.out()).contains("Exit codes").contains("Examples");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"--help", "-h"})
  @DisplayName("of the program has every command, with an example, and every exit code")
  void ofProgram(String option) {
    CommandLine line = DocumentedCommandsTest.LINE;

    Result result = Program.run(option);

    assertThat(result.exitCode()).isZero();
    assertThat(result.out().lines()).allMatch(text -> text.length() <= 80);
    assertThat(section(result, "Commands:").map(words -> words[0]))
        .containsExactlyElementsOf(line.getSubcommands().keySet());
    assertThat(section(result, "Examples:").map(HelpTest::command))
        .containsExactlyElementsOf(line.getSubcommands().keySet());
    assertThat(section(result, "Exit codes, of every command:").map(words -> words[0]))
        .containsExactlyElementsOf(
            Stream.of(ExitCode.values()).map(code -> Integer.toString(code.number())).toList());
  }

  /** The words of each line below a heading. */
  private static Stream<String[]> section(Result result, String heading) {
    return result
        .out()
        .lines()
        .dropWhile(line -> !line.equals(heading))
        .skip(1)
        .takeWhile(line -> !line.isEmpty())
        .map(line -> line.strip().split(" +", -1));
  }

  /** The command of an example, whose options it has. */
  private static String command(String... example) {
    String[] arguments = Arrays.copyOfRange(example, 1, example.length);
    return DocumentedCommandsTest.LINE.parseArgs(arguments).subcommand().commandSpec().name();
  }
}
