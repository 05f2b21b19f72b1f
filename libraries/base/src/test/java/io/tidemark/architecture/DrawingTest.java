package io.tidemark.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("any-jdk")
@DisplayName("The dependency rule tells what is above and beside from what is below")
class DrawingTest {
  private static final String TABLE =
      """
      ip             | time           | refused
      time           | metrics        | refused
      error          | ip             | refused
      file           | metrics        | refused
      file           | time           | allowed
      time           | file           | refused
      metrics        | config         | refused
      config         | resource       | refused
      resilience     | resource       | refused
      resource       | spi            | refused
      spi            | node           | refused
      spi            | cluster        | refused
      cluster        | provider.kit   | refused
      provider.kit   | provider.mock  | refused
      provider.kit   | node           | refused
      manifests      | kubernetes     | refused
      manifests      | node           | refused
      node           | agent          | refused
      agent          | datastore      | refused
      datastore      | provider.aws   | refused
      node           | manifests      | refused
      nodecidr       | simulation     | refused
      nodeid         | node           | refused
      nodeid         | kubernetes     | refused
      nodeid         | config         | allowed
      provider.mock  | node           | refused
      provider.aws   | provider.azure | refused
      provider.azure | datastore      | refused
      kubernetes     | provider.mock  | refused
      emulator       | provider.aws   | refused
      emulator       | resilience     | refused
      emulator       | spi            | refused
      emulator       | ip             | allowed
      emulator       | http           | allowed
      http           | config         | refused
      http           | emulator       | refused
      simulation     | operator       | refused
      simulation     | program        | refused
      program        | operator       | refused
      program        | http           | allowed
      operator       | it             | refused
      daemon         | operator       | refused
      daemon         | program        | allowed
      emulator       | file           | allowed
      elsewhere      | ip             | refused
      metrics        | error          | allowed
      resource       | ip             | allowed
      spi            | resilience     | allowed
      node           | spi            | allowed
      provider.mock  | resource       | allowed
      simulation     | provider.mock  | allowed
      operator       | node           | allowed
      cluster        | node           | refused
      cluster        | spi            | allowed
      node           | engine         | refused
      engine         | node           | allowed
      engine         | manifests      | refused
      engine         | kubernetes     | refused
      simulation     | engine         | allowed
      cluster        | resilience     | allowed
      kubernetes     | cluster        | allowed
      provider.aws   | provider.kit   | allowed
      provider.kit   | spi            | allowed
      manifests      | resource       | allowed
      it             | operator       | allowed
      """;

  private static JavaClasses classes;

  private record Row(String root, String user, String used, boolean refused) {
    static Row of(String line) {
      String[] cells = line.replace(" ", "").split("\\|", -1);
      String root = "fixture." + (cells[0] + cells[1]).replace(".", "");
      return new Row(root, cells[0], cells[1], cells[2].equals("refused"));
    }

    Stream<String> texts() {
      return Stream.of(
          "package " + root + "." + used + "; public class Used {}",
          "package " + root + "." + user + "; class User { " + root + "." + used + ".Used used; }");
    }

    List<String> complaints() {
      JavaClasses own = classes.that(resideInAPackage(root + ".."));
      return Drawing.rules(root).stream()
          .filter(rule -> rule.evaluate(own).hasViolation())
          .map(ArchRule::getDescription)
          .toList();
    }

    @Override
    public String toString() {
      return user + " uses " + used + ": " + (refused ? "refused" : "allowed");
    }
  }

  private static Stream<Row> rows() {
    return TABLE.lines().map(Row::of);
  }

  @BeforeAll
  static void compile(@TempDir Path directory) {
    classes = CompiledText.of(directory, rows().flatMap(Row::texts).toArray(String[]::new));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void row(Row row) {
    assertThat(row.complaints()).hasSize(row.refused() ? 1 : 0);
  }

  @Test
  @DisplayName("every rule of the drawing is broken by a row")
  void everyRule() {
    Set<String> broken = new HashSet<>();
    rows().forEach(row -> broken.addAll(row.complaints()));
    assertThat(broken)
        .containsExactlyInAnyOrderElementsOf(
            Drawing.rules("any").stream().map(ArchRule::getDescription).toList());
  }
}
