package io.tidemark.it.docs;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.DocumentCommands;
import io.tidemark.testing.DocumentCommands.Block;
import io.tidemark.testing.Repository;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A block of commands in a document")
class BlocksTest {
  private static final String LIST = ".ci/docs/commands.tsv";

  /** Files of the checkout that a command names as they are. */
  private static final Pattern SCRIPT = Pattern.compile("(?<![\\w/])\\.ci/[\\w-]+(?:/[\\w-]+)?");

  private static final Pattern EXAMPLE = Pattern.compile("(?:examples|deploy)/[\\w./-]*[\\w-]");

  @TempDir private Path directory;

  /** A line of the list. */
  record Entry(String document, String first, String how, String note) {
    static Entry of(String line) {
      String[] parts = line.split("\t", -1);
      assertThat(parts).as(line).hasSize(4);
      return new Entry(parts[0], parts[1], parts[2], parts[3]);
    }

    boolean isFor(Block block) {
      return block.document().equals(document) && block.first().equals(first);
    }

    /** Its block in the document. */
    Block block() {
      return blocks().stream().filter(this::isFor).findFirst().orElseThrow();
    }

    @Override
    public String toString() {
      return document + ' ' + first;
    }
  }

  static List<Entry> entries() {
    return Repository.text(LIST)
        .lines()
        .filter(line -> !line.startsWith("#") && !line.isEmpty())
        .map(Entry::of)
        .toList();
  }

  private static List<Entry> entries(String how) {
    List<Entry> entries = entries().stream().filter(entry -> entry.how().equals(how)).toList();
    assertThat(entries).isNotEmpty();
    return entries;
  }

  static List<Block> blocks() {
    return DocumentCommands.blocks();
  }

  @Test
  @DisplayName("DC-2 is on the list that says who runs it, and the list has no other")
  void listed() {
    List<Entry> entries = entries();

    assertThat(blocks())
        .isNotEmpty()
        .allSatisfy(
            block ->
                assertThat(entries)
                    .as(block + " " + block.first())
                    .filteredOn(it -> it.isFor(block))
                    .hasSize(1));
    assertThat(entries)
        .allSatisfy(entry -> assertThat(blocks()).as(entry.toString()).anyMatch(entry::isFor))
        .allSatisfy(entry -> assertThat(entry.note()).isNotEmpty())
        .extracting(Entry::how)
        .containsOnly(
            "run",
            "serve",
            "run-in-checkout",
            "run-in-cluster",
            "serve-in-cluster",
            "gate",
            "script",
            "not");
  }

  @Test
  @Tag("process")
  @DisplayName(
      "DC-2 that the gate runs, names layers and options of it, or is what one of them runs")
  void ofTheGate() throws Exception {
    Path gate = Repository.root().resolve(".ci/run");
    List<String> commands = said(gate, "--commands").lines().toList();
    String layers =
        said(gate, "--list").lines().map(each -> each.split(" +", 3)[1]).collect(joining("|"));
    Pattern call =
        Pattern.compile("\\.ci/run( (%s|--list|--full|--for \\S+))+( +#.*)?".formatted(layers));

    assertThat(entries("gate"))
        .allSatisfy(
            entry ->
                assertThat(entry.block().commands())
                    .allMatch(
                        command ->
                            call.matcher(command).matches()
                                || commands.contains(entry.note() + '\t' + command)));
  }

  @Test
  @DisplayName("DC-2 that a script takes from the document, is named there with the document")
  void takenByAScript() {
    assertThat(entries("script"))
        .allSatisfy(
            entry ->
                assertThat(Repository.text(entry.note().split("[, ]", 2)[0]))
                    .contains(entry.document(), entry.first().split(" ", 2)[0]));
  }

  @Test
  @Tag("process")
  @DisplayName("DC-2 is a script that a shell can read")
  void syntax() throws Exception {
    Path all = directory.resolve("all.sh");
    StringBuilder text = new StringBuilder();
    int count = 0;
    for (Block block : blocks()) {
      text.append("f").append(count++).append("() {\n").append(block.text()).append("}\n");
    }
    Files.writeString(all, text);

    assertThat(said(Path.of("bash"), "-n", all.toString())).isEmpty();
  }

  private static String said(Path program, String... options) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(program.toString()).redirectErrorStream(true);
    builder.command().addAll(List.of(options));
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("blocks")
  @DisplayName("DC-2 names scripts and examples that exist")
  void files(Block block) {
    for (Pattern pattern : List.of(SCRIPT, EXAMPLE)) {
      Matcher named = pattern.matcher(block.text());
      while (named.find()) {
        if (!named.group().contains("/target")) {
          assertThat(Repository.root().resolve(named.group())).as(block.toString()).exists();
        }
      }
    }
  }
}
