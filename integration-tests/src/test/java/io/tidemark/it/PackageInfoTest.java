package io.tidemark.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A reader who opens a package")
class PackageInfoTest {
  private static final Pattern RUNS_IN =
      Pattern.compile(
          "/\\*\\*\\s+(\\* )?Runs in: ((operator|agent|ipamd|command line|library|anywhere)(, | and )?)+\\.?\\s");

  private static final Path REPOSITORY = Repository.root();

  @Test
  @DisplayName("is told first where it runs, and relies on null being absent")
  void everyPackage() throws IOException {
    List<Path> packages = packagesWithSources();
    assertThat(packages).hasSizeGreaterThan(4);
    assertThat(packages).allSatisfy(PackageInfoTest::assertIntroduced);
  }

  private static void assertIntroduced(Path directory) {
    Path file = directory.resolve("package-info.java");
    assertThat(file).exists().content().containsPattern(RUNS_IN).contains("@NullMarked\npackage ");
  }

  private static List<Path> packagesWithSources() throws IOException {
    try (Stream<Path> files = Files.walk(REPOSITORY)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(Path::getParent)
          .distinct()
          .filter(directory -> directory.toString().contains("/src/main/java/"))
          .toList();
    }
  }
}
