package io.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-jdk")
class SilentAssertionsTest {
  /** All that such a failure can say is that true is not false. */
  private static final Pattern SILENT = Pattern.compile("assertEquals\\(\\s*(true|false)\\b");

  @Test
  @DisplayName("No test of any module expects a bare true or false to be equal to something")
  void none() throws IOException {
    Path root = Repository.root();
    List<Path> found = new ArrayList<>();
    int read = 0;
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(SilentAssertionsTest::isTest).toList()) {
        read++;
        if (SILENT.matcher(Files.readString(file, StandardCharsets.UTF_8)).find()) {
          found.add(root.relativize(file));
        }
      }
    }
    assertThat(read).as("test sources under %s", root).isGreaterThan(500);
    assertThat(found).as("compare the values, or give a message to assertTrue").isEmpty();
  }

  private static boolean isTest(Path file) {
    String name = file.toString();
    return name.endsWith(".java") && name.contains("/src/test/java/");
  }
}
