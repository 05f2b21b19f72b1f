package io.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-jdk")
@DisplayName("A failing test says more than that something was false")
class SilentAssertionsTest {
  /** All that such a failure can say is that true is not false. */
  private static final Pattern SILENT = Pattern.compile("assertEquals\\(\\s*(true|false)\\b");

  private static List<String> found(String file, String text) {
    List<String> found = new ArrayList<>();
    Matcher matcher = SILENT.matcher(text);
    while (matcher.find()) {
      long line = 1 + text.substring(0, matcher.start()).chars().filter(c -> c == '\n').count();
      found.add(file + ":" + line);
    }
    return found;
  }

  private static List<Path> testSources(Path root) throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.map(each -> each.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(module)) {
          try (Stream<Path> files = Files.walk(module)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
          }
        }
      }
    }
    return sources;
  }

  @Test
  @DisplayName("no test of any module expects a bare true or false to be equal to something")
  void none() throws IOException {
    Path root = Repository.root();
    List<String> found = new ArrayList<>();
    int read = 0;
    for (Path file : testSources(root)) {
      String text = Files.readString(file, StandardCharsets.UTF_8);
      found.addAll(found(root.relativize(file).toString(), text));
      read++;
    }
    assertThat(read).as("test sources under %s", root).isGreaterThan(100);
    assertThat(found).as("compare the values, or give a message to assertTrue").isEmpty();
  }

  @Test
  @DisplayName("it is found on one line and on two, with a message and without")
  void offenders() {
    String call = "assertEquals";
    String text =
        """
        %1$s(true, pool.contains(address));
        %1$s(
            false, node.isIdle(), "idle");
        %1$s(truth, told);
        %1$s(List.of(true), seen);
        """
            .formatted(call);
    assertThat(found("OffenderTest.java", text))
        .containsExactly("OffenderTest.java:1", "OffenderTest.java:2");
  }
}
