package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.engine.Providers;
import io.tidemark.operator.Program.Result;
import io.tidemark.program.ExitCode;
import io.tidemark.spi.ProviderFactory;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

@DisplayName("The help")
class HelpTest {
  private static final String OTHERS =
      "Commands of other programs, which './tidemark' of a checkout builds and runs:";

  @ParameterizedTest(name = "of tidemark {0}")
  @ValueSource(
      strings = {
        "run",
        "explain",
        "status",
        "doctor",
        "config",
        "plan",
        "node-cidr plan",
        "node-id plan",
        "simulate",
        "kubectl status",
        "kubectl explain",
        "kubectl doctor"
      })
  @DisplayName("is what src/test/resources/help holds, so that a review shows each change of it")
  void asRecorded(String command) {
    Result result = Program.run(Program.arguments(command, "--help")).ends(0);

    assertThat(result.out())
        .isEqualToNormalizingNewlines(
            Reports.recorded("/help/" + command.replace(' ', '-') + ".txt"));
    assertThat(result.out()).contains("Exit codes").contains("Examples");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"--help", "-h"})
  @DisplayName("of the program has every command, with an example, and every exit code")
  void ofProgram(String option) {
    CommandLine line = DocumentedCommandsTest.LINE;

    Result result = Program.run(option).ends(0);

    assertThat(result.out().lines()).allMatch(text -> text.length() <= 80);
    assertThat(section(result, "Commands:").map(words -> words[0]))
        .containsExactlyElementsOf(line.getSubcommands().keySet());
    assertThat(section(result, "Examples:").map(HelpTest::command))
        .containsExactlyElementsOf(line.getSubcommands().keySet());
    assertThat(section(result, "Exit codes, of every command:").map(words -> words[0]))
        .containsExactlyElementsOf(
            Stream.of(ExitCode.values()).map(code -> Integer.toString(code.number())).toList());
  }

  @Test
  @DisplayName(
      "CO-5 of the program has the commands of the other programs, as the launcher has them")
  void otherPrograms() throws IOException {
    String launcher = Files.readString(Repository.root().resolve("tidemark"));
    List<String> listed = section(Program.run("--help"), OTHERS).map(words -> words[0]).toList();
    String cases = launcher.substring(launcher.indexOf("\nlist=\n"));
    cases = cases.substring(0, cases.indexOf("  *)"));

    assertThat(listed)
        .allMatch(name -> launcher.contains("'help " + name + "'"))
        .containsExactlyInAnyOrderElementsOf(
            Pattern.compile("(?m)^  ([a-z0-9-]+(?: \\| [a-z0-9-]+)*)\\)")
                .matcher(cases)
                .results()
                .flatMap(match -> Stream.of(match.group(1).split(" \\| ", -1)))
                .toList());
  }

  @ParameterizedTest(name = "of tidemark {0}")
  @ValueSource(strings = {"run", "explain", "status", "doctor", "config", "plan"})
  @DisplayName("CO-6 fits two screens, and has with --help-all every option but aliases")
  void usualAndAll(String command) {
    Result usual = Program.run(command, "--help");
    Result all = Program.run(command, GroupedHelp.ALL);

    assertThat(usual.out().lines()).hasSizeLessThanOrEqualTo(100);
    assertThat(List.of(usual, all))
        .allSatisfy(
            help -> {
              assertThat(help.exitCode()).isZero();
              assertThat(help.out().lines()).allMatch(line -> line.length() <= 80);
              assertThat(help.out()).doesNotContain("podSubnetCIDR", "kube-api-qps");
            });
    CommandLine described =
        Objects.requireNonNull(DocumentedCommandsTest.LINE.getSubcommands().get(command), command);
    described.getCommandSpec().options().stream()
        .filter(option -> !option.hidden())
        .forEach(option -> assertThat(words(all)).contains(option.longestName()));
    assertThat(words(usual)).contains("--provider", "--release-excess-ips", "--help-all");
    assertThat(words(usual)).doesNotContain("--aws-region", "--backoff-base");
  }

  private static List<String> words(Result help) {
    return help.out().lines().flatMap(line -> Stream.of(line.split("[ ,=\\[]+", -1))).toList();
  }

  @Test
  @DisplayName("CO-7 of a provider has all its settings, none broken inside a word")
  void ofProvider() {
    for (ProviderFactory provider : Providers.installed().all()) {
      Result help = Program.run("help", provider.name()).ends(0);

      assertThat(help.out().lines()).allMatch(line -> line.length() <= 80);
      assertThat(words(help))
          .containsAll(provider.settings().stream().map(key -> "--" + key.key()).toList());
      String text = String.join(" ", help.out().split("\\s+", -1));
      assertThat(provider.settings()).allMatch(key -> text.contains(key.meaning()));
    }
  }

  @Test
  @DisplayName("CO-7 of a command is that of its --help, and of an unknown name names the nearest")
  void ofCommand() {
    assertThat(Program.run("help")).isEqualTo(Program.run("--help"));
    assertThat(Program.run("help", "status")).isEqualTo(Program.run("status", "--help"));
    assertThat(Program.run("help", "gce").exitCode()).isEqualTo(ExitCode.USAGE.number());
    assertThat(Program.run("help", "gce").err())
        .contains("no command or provider 'gce'; ", "the providers are aws, azure, mock. See");
    assertThat(Program.run("help", "stauts").err()).contains("the nearest is status");
  }

  @Test
  @DisplayName("has examples that fit their lines, so that no word is broken")
  void examples() {
    assertThat(footers(DocumentedCommandsTest.LINE.getCommandSpec()))
        .hasSizeGreaterThan(20)
        .allMatch(line -> line.length() <= 80);
  }

  private static Stream<String> footers(CommandSpec command) {
    return Stream.concat(
        Stream.of(command.usageMessage().footer()),
        command.subcommands().values().stream().flatMap(each -> footers(each.getCommandSpec())));
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
