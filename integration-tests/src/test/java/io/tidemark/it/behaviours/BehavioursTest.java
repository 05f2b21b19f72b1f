package io.tidemark.it.behaviours;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The list of behaviours against the reports")
class BehavioursTest {
  @TempDir private Path root;

  @ParameterizedTest(name = "{3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Z-1 pays              |          | 0 missing | an id at the start of the name
          table Z-1: row 3      |          | 0 missing | an id before a colon
          pays (Z-1)            |          | 0 missing | an id in brackets
          Z-1/Z-7 pays          |          | 0 missing | two ids with a slash
          Z-16 pays             |          | 1 missing | an id that goes on
          AZ-1 pays             |          | 1 missing | an id that began earlier
          Z-1-b pays            |          | 1 missing | an id with a suffix
          Z-1 pays              | failure  | 1 missing | a failed test
          Z-1 pays              | error    | 1 missing | a test with an error
          Z-1 pays              | skipped  | 1 missing | a skipped test
          Z-1 pays              | system-out | 0 missing | a test that printed
          """)
  void oneTest(String name, String child, String expected, String because) throws IOException {
    list("Z-1\ttest\tPays");
    report("m", testcase(name, "Money", child == null ? "" : "<" + child + "/>"));
    assertThat(run(expected.startsWith("0") ? 0 : 1)).as(because).contains(expected);
  }

  @Test
  @DisplayName("an id in the name of the class counts for its passing tests")
  void className() throws IOException {
    list("Z-1\ttest\tPays");
    report("m", testcase("pays", "Z-1 money &amp; more", ""));
    assertThat(run(0)).contains("1 listed, 1 proved, 0 missing, 0 unknown, from 1 tests");
  }

  @Test
  @DisplayName("one failure spoils the id that another test proves")
  void failedElsewhere() throws IOException {
    list("Z-1\ttest\tPays");
    report("a", testcase("Z-1 pays", "Money", ""));
    report("b", testcase("Z-1 pays back", "Money", "<failure/>"));
    assertThat(run(1)).contains("missing  Z-1 (test failed): Pays");
  }

  @ParameterizedTest(name = "id {index}") // the name of an id here would be taken as its proof
  @ValueSource(
      strings = {
        "C-11", "NM-T1", "AWS-7", "AZ-N7", "A07", "AI7", "D07", "D107", "DI7", "P7", "NI-7",
        "NI-D7", "NI-AM7"
      })
  @DisplayName("an id that the list does not hold is reported")
  void unknown(String id) throws IOException {
    list("C-1\ttest\tPays");
    report("m", testcase("C-1 and " + id + " pay", "Money", ""));
    assertThat(run(1)).contains("unknown  " + id + " is named by a test, but not listed");
  }

  @ParameterizedTest(name = "word {index}")
  @ValueSource(strings = {"A7", "A100", "D7", "D1000", "F-x", "AI"})
  @DisplayName("a word that only resembles an id is none")
  void noId(String word) throws IOException {
    list("C-1\ttest\tPays");
    report("m", testcase("C-1 and " + word + " pay", "Money", ""));
    assertThat(run(0)).contains("0 unknown");
  }

  @Test
  @DisplayName("a benchmark is proved by a benchmark's source, never by a test")
  void benchmark() throws IOException {
    list("Z-1\tbenchmark\tPays fast");
    report("m", testcase("Z-1 pays fast", "Money", ""));
    assertThat(run(1)).contains("missing  Z-1 (no benchmark): Pays fast");
    Path source = root.resolve("integration-tests/src/main/java/it/benchmark/Pay.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "/** Measures Z-1. */ class Pay {}");
    assertThat(run(0)).contains("0 missing");
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Z-1 test Pays                           | spaces for tabs
          Z-1;exam;Pays                           | an unknown kind
          Z-1;test;                               | no subject
          Z-1;test;Pays,Z-1;test;Pays             | an id listed twice
          """)
  void badList(String lines, String because) throws IOException {
    list(lines.replace(';', '\t').replace(',', '\n'));
    assertThat(run(2)).as(because).containsPattern("behaviours.txt:[12]: ");
  }

  @Test
  @DisplayName("a half-written report is named")
  void badReport() throws IOException {
    list("Z-1\ttest\tPays");
    report("m", "<testcase");
    assertThat(run(2)).contains("TEST-m.xml: not a test report");
  }

  @Test
  @DisplayName("the usual gate leaves an id to the full one if a test with a tag names it")
  void usual() throws IOException {
    list("Z-1\ttest\tPays\nZ-2\ttest\tPays back");
    report("m", testcase("Z-2 pays back", "Money", ""));
    source("@DisplayName(\"Z-1 pays\") class MoneyTest {}");
    assertThat(run(true, 1)).contains("missing  Z-1");
    source("@Tag(\"long\") @DisplayName(\"Z-1 pays\") class MoneyTest {}");
    assertThat(run(true, 0)).contains("left to the full gate: Z-1\n", "1 proved, 0 missing");
    assertThat(run(1)).contains("missing  Z-1");

    report("n", testcase("Z-1 pays", "Money", "<failure/>"));
    assertThat(run(true, 1)).contains("missing  Z-1 (test failed)");
  }

  private void source(String text) throws IOException {
    Path file = root.resolve("m/src/test/java/MoneyTest.java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private String run(int expectedStatus) {
    return run(false, expectedStatus);
  }

  private String run(boolean usual, int expectedStatus) {
    StringBuilder report = new StringBuilder();
    assertThat(Behaviours.run(root, usual, report)).as(report.toString()).isEqualTo(expectedStatus);
    return report.toString();
  }

  private void list(String lines) throws IOException {
    Path file = root.resolve("docs/internals/behaviours.txt");
    Files.createDirectories(file.getParent());
    Files.writeString(file, lines + "\n");
  }

  private void report(String module, String testcases) throws IOException {
    Path file = root.resolve(module + "/target/surefire-reports/TEST-" + module + ".xml");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "<testsuite>" + testcases + "</testsuite>");
  }

  private static String testcase(String name, String className, String child) {
    return "<testcase name=\"%s\" classname=\"%s\">%s</testcase>"
        .replaceFirst("%s", name)
        .replaceFirst("%s", className)
        .replaceFirst("%s", child);
  }
}
