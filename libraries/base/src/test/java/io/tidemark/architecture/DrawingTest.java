package io.tidemark.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("any-jdk")
@DisplayName("The dependency rule tells what is above and beside from what is below")
class DrawingTest {
  private static final String TABLE =
      """
      ip             | time           | refused
      file           | metrics        | refused
      file           | time           | allowed
      metrics        | config         | refused
      resilience     | resource       | refused
      spi            | cluster        | refused
      spi            | resilience     | allowed
      provider.kit   | provider.mock  | refused
      provider.aws   | provider.azure | refused
      provider.aws   | provider.kit   | allowed
      node           | agent          | refused
      node           | manifests      | refused
      node           | spi            | allowed
      nodeid         | kubernetes     | refused
      engine         | kubernetes     | refused
      engine         | node           | allowed
      emulator       | spi            | refused
      emulator       | ip             | allowed
      emulator       | http           | allowed
      http           | emulator       | refused
      simulation     | program        | refused
      simulation     | provider.mock  | allowed
      operator       | daemon         | refused
      operator       | it             | refused
      elsewhere      | ip             | refused
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
}
