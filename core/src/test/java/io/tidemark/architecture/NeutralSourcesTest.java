package io.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
@DisplayName("What every cloud shares names none")
class NeutralSourcesTest {
  private static final Pattern CLOUD =
      Pattern.compile(
          "(?i:\\b(aws|ec2|amazon|azure|alibaba|gcp|enis?)\\b)|\\bEni[A-Z]|[a-z]Eni(?![a-z])");

  /**
   * The wire format has the clouds' sections, and settings and the labels of metrics have the names
   * that people use.
   */
  private static final List<String> EXEMPT =
      List.of(
          "core/src/main/java/io/tidemark/resource",
          "core/src/main/java/io/tidemark/config",
          "core/src/main/java/io/tidemark/metrics/Metric.java",
          "systems/engine/src/main/java/io/tidemark/node/config/EngineKey.java");

  @ParameterizedTest
  @ValueSource(strings = {"core", "systems/engine"})
  @DisplayName("no cloud, and none of its words, stands in these sources")
  void neutral(String module) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Repository.root().resolve(module + "/src/main/java"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        String name = Repository.root().relativize(file).toString().replace('\\', '/');
        if (EXEMPT.stream().noneMatch(name::startsWith)) {
          Files.readAllLines(file).stream()
              .filter(NeutralSourcesTest::namesCloud)
              .forEach(line -> found.add(name + ": " + line.strip()));
        }
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  @DisplayName("and the words are found")
  void found() {
    assertThat(List.of("an ENI of AWS", "EniStatus status", "resource.withEniStatus(x)", "ec2:Do"))
        .allMatch(NeutralSourcesTest::namesCloud);
    assertThat(List.of("opening", "denied", "genius", "readiness", "Opening"))
        .noneMatch(NeutralSourcesTest::namesCloud);
  }

  private static boolean namesCloud(String line) {
    return CLOUD.matcher(line).find();
  }
}
