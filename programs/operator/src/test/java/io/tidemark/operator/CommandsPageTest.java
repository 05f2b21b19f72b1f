package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.operator.Program.Result;
import io.tidemark.testing.Hang;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The commands of README.md and docs/commands.md")
class CommandsPageTest {
  private static final String PAGE = "docs/commands.md";
  private static final Pattern COMMAND = Pattern.compile("`\\./tidemark ([^`]+)`");
  private static final Pattern UNDO = Pattern.compile("`(git checkout examples[^`]*)` reverts");

  @TempDir private Path directory;

  /** Those of the table that need no cluster and end by themselves. */
  static Stream<String> ofTable() {
    List<String> commands =
        Repository.text(PAGE)
            .lines()
            .dropWhile(line -> !line.equals("| Command | Does |"))
            .takeWhile(line -> line.startsWith("|"))
            .map(line -> line.substring(0, line.indexOf('|', 1)))
            .flatMap(cell -> COMMAND.matcher(cell).results().map(found -> found.group(1)))
            .filter(
                command ->
                    !command.matches(
                        "(run|kubectl|agent|ipamd|datastore|ec2-emulator|arm-emulator)( .*)?"))
            .toList();
    assertThat(commands).hasSizeGreaterThan(5);
    return commands.stream();
  }

  private Result run(String command) {
    return Program.run(command.replace("examples/", directory + "/examples/").split(" ", -1));
  }

  private void copy(String folder) throws IOException {
    Path target = Files.createDirectories(directory.resolve("examples").resolve(folder));
    try (Stream<Path> files = Files.list(Repository.root().resolve("examples").resolve(folder))) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        Path copied = Files.copy(each, target.resolve(each.getFileName()));
        Files.setLastModifiedTime(copied, FileTime.fromMillis(0));
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ofTable")
  @DisplayName("DC-7 in the table work as they stand")
  void table(String command) throws IOException {
    copy("nodes");

    assertThat(run(command).ends(0).out()).isNotEmpty();
  }

  private void sh(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-c", command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("out.txt").toFile())
            .start();
    assertThat(process.waitFor(5 * Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(directory.resolve("out.txt"))).isZero();
  }

  @Test
  @Tag("process")
  @DisplayName("DC-7 that change examples are undone by the command that says so")
  void undone() throws Exception {
    copy("nodes");
    copy("cluster-nodes");
    String git = "git -c user.name=a -c user.email=a@b -c commit.gpgsign=false ";
    sh(git + "init -q . && git add examples && " + git + "commit -q -m a");
    String page = Repository.text(PAGE);
    String first = "run --provider=mock --nodes=examples/nodes --once";
    assertThat(Repository.text("README.md")).contains("./tidemark " + first);
    List<String> changing =
        Stream.concat(
                Stream.of(first),
                COMMAND
                    .matcher(page)
                    .results()
                    .map(found -> found.group(1))
                    .filter(command -> command.contains("--once")))
            .toList();
    assertThat(changing).hasSize(3);
    for (String command : changing) {
      assertThat(run(command).exitCode()).as(command).isZero();
    }
    Matcher undo = UNDO.matcher(page);
    assertThat(undo.find()).isTrue();

    sh("! git diff --quiet && " + undo.group(1));

    sh("test -z \"$(git status --porcelain examples)\"");
  }
}
