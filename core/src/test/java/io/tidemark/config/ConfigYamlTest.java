package io.tidemark.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.error.CoreError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigYamlTest {
  private final ConfigProblems problems = new ConfigProblems();

  private List<Setting> read(String text) {
    return ConfigYaml.read("t.yaml", text, problems);
  }

  @Test
  @DisplayName("Each key stands with its value as written and with its line")
  void flat() {
    assertThat(
            read(
                """
                # comment
                cluster-name: prod
                sync-attempts: 012
                limit-ipam-api-qps: 4.0
                enable-metrics: yes
                eni-gc-tags: "a=b,c=d"
                backoff-cap:

                """))
        .containsExactly(
            new Setting("cluster-name", "prod", "t.yaml:2"),
            new Setting("sync-attempts", "012", "t.yaml:3"),
            new Setting("limit-ipam-api-qps", "4.0", "t.yaml:4"),
            new Setting("enable-metrics", "yes", "t.yaml:5"),
            new Setting("eni-gc-tags", "a=b,c=d", "t.yaml:6"),
            new Setting("backoff-cap", "", "t.yaml:7"));
    assertThat(problems.found()).isEmpty();
  }

  @Test
  @DisplayName("Lists and maps become what the command line would take")
  void nested() {
    assertThat(
            read(
                """
                subnet-ids-filter: [s1, s2]
                subnet-tags-filter:
                  zone: a
                  tier: "1"
                eni-tags: {}
                """))
        .containsExactly(
            new Setting("subnet-ids-filter", "s1,s2", "t.yaml:1"),
            new Setting("subnet-tags-filter", "zone=a,tier=1", "t.yaml:2"),
            new Setting("eni-tags", "", "t.yaml:5"));
    assertThat(problems.found()).isEmpty();
  }

  @DisplayName("A map whose texts items could not carry becomes a JSON object with the same texts")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a1.medium: '2,4,4', a2: '4,5,6'} | {"a1.medium": "2,4,4", "a2": "4,5,6"}
          {"a=b": c}                        | {"a=b": "c"}
          {"a\\"\\\\": "1,\\n"}             | {"a\\"\\\\": "1,\\u000a"}
          """)
  void textsWithCommas(String yaml, String json) {
    List<Setting> settings = read("k: " + yaml);

    assertThat(settings).containsExactly(new Setting("k", json, "t.yaml:1"));
    assertThat(ConfigYaml.texts(json)).isEqualTo(ConfigYaml.texts(yaml)).isPresent();
    assertThat(problems.found()).isEmpty();
  }

  @Test
  @DisplayName("An empty file sets nothing")
  void empty() {
    assertThat(read("")).isEmpty();
    assertThat(read("# nothing\n")).isEmpty();
    assertThat(read("---\n")).isEmpty();
    assertThat(problems.found()).isEmpty();
  }

  @DisplayName("What cannot be read is a problem with its line")
  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'a: b: c'            | t.yaml:1: is not valid YAML
          'x: 1\\n  y: 2\\n z' | t.yaml:2: is not valid YAML
          'text'               | t.yaml:1: holds no keys at its top level
          '[1, 2]'             | t.yaml:1: holds no keys at its top level
          'a: 1\\n? [b]\\n: 2' | t.yaml:2: has a key that is not a string
          'a: 1\\n---\\nb: 2'  | t.yaml:2: is not valid YAML
          '"a'                 | t.yaml:1: is not valid YAML
          """)
  void unreadable(String text, String expected) {
    read(text.replace("\\n", "\n"));
    assertThat(problems.found())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.code()).isEqualTo(CoreError.CONFIG_UNREADABLE);
              assertThat(problem.toString()).startsWith(expected);
            });
  }

  @DisplayName("A value that no command line could carry is refused")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'k: [[a]]'
          'k: {a: [b]}'
          'k: ["a,b"]'
          'k: {a: b, a: c}'
          'k: &x [*x]'
          """)
  void tooDeep(String text) {
    assertThat(read(text)).isEmpty();
    assertThat(problems.found())
        .singleElement()
        .satisfies(problem -> assertThat(problem.key()).isEqualTo("k"));
  }

  @Test
  @DisplayName("A file is read from disk; a missing, foreign or huge one is a problem")
  void files(@TempDir Path dir) throws IOException {
    Path good = Files.writeString(dir.resolve("good.yaml"), "cluster-name: prod\n");
    assertThat(ConfigYaml.read(good, problems))
        .containsExactly(new Setting("cluster-name", "prod", good + ":1"));
    assertThat(problems.found()).isEmpty();
    Path binary = Files.write(dir.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    Path huge = Files.writeString(dir.resolve("huge"), "a".repeat((1 << 20) + 1));
    for (Path bad : List.of(dir.resolve("missing"), binary, huge, dir, good.resolve("below"))) {
      assertThat(ConfigYaml.read(bad, problems)).isEmpty();
    }
    assertThat(problems.found())
        .extracting(ConfigProblem::problem)
        .satisfiesExactly(
            missing -> assertThat(missing).isEqualTo("does not exist"),
            notText -> assertThat(notText).isEqualTo("is not UTF-8 text"),
            large -> assertThat(large).isEqualTo("is larger than a megabyte"),
            directory -> assertThat(directory).isEqualTo("cannot be read: Is a directory"),
            below -> assertThat(below).isEqualTo("cannot be read: Not a directory"));
  }
}
