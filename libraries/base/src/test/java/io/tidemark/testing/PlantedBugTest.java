package io.tidemark.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Planted bugs, which the gate looks for in full runs alone,")
class PlantedBugTest {
  private static final PathMatcher MUTANTS =
      FileSystems.getDefault().getPathMatcher("glob:**/src/test/resources/**mutants.txt");

  @Test
  @DisplayName("exchange words that their classes hold")
  void fit() throws IOException {
    List<PlantedBug> bugs = new ArrayList<>();
    for (Path file : files()) {
      bugs.addAll(PlantedBug.all(Files.newInputStream(file)));
    }

    assertThat(bugs).hasSizeGreaterThan(100);
    assertThat(bugs)
        .allSatisfy(
            bug -> assertThatNoException().isThrownBy(() -> MutantLoader.edited(bug.edits())));
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> modules = Files.walk(Repository.root(), 2)) {
      for (Path module : modules.toList()) {
        Path resources = module.resolve("src/test/resources");
        if (Files.isDirectory(resources)) {
          try (Stream<Path> all = Files.walk(resources)) {
            files.addAll(all.filter(MUTANTS::matches).toList());
          }
        }
      }
    }
    return files;
  }
}
