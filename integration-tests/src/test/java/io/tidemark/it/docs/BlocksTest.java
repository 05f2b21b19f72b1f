package io.tidemark.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.DocumentCommands;
import io.tidemark.testing.DocumentCommands.Block;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
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
  }

  static List<Entry> entries() {
    return Repository.text(LIST)
        .lines()
        .filter(line -> !line.startsWith("#") && !line.isEmpty())
        .map(Entry::of)
        .toList();
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
        .containsOnly("run", "serve", "test", "not");
  }

  @Test
  @DisplayName("DC-2 that something else runs, is run by a test or script that exists")
  void runBy() throws IOException {
    Set<String> classes;
    try (Stream<Path> files = Files.walk(Repository.root())) {
      classes =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith("Test.java"))
              .map(name -> name.replace(".java", ""))
              .collect(Collectors.toSet());
    }
    assertThat(entries().stream().filter(entry -> entry.how().equals("test")))
        .allSatisfy(
            entry -> {
              String by = entry.note().split("[,; ]", 2)[0];
              assertThat(classes.contains(by) || Files.exists(Repository.root().resolve(by)))
                  .as(entry.toString())
                  .isTrue();
            });
  }

  @Test
  @DisplayName("DC-2 is a script that a shell can read")
  void syntax() throws Exception {
    Path all = directory.resolve("all.sh");
    StringBuilder text = new StringBuilder();
    int count = 0;
    for (Block block : blocks()) {
      text.append("f").append(count++).append("() {\n").append(block.text()).append("}\n");
    }
    Files.writeString(all, text);
    Process bash =
        new ProcessBuilder("bash", "-n", all.toString()).redirectErrorStream(true).start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(bash.waitFor()).as(said).isZero();
    assertThat(said).isEmpty();
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
