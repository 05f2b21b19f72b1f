package io.tidemark.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Code in a page for authors of programs")
class SnippetsTest {
  private static final Pattern BLOCK =
      Pattern.compile("^```java\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);

  /** Of the comment of a package or class. */
  private static final Pattern EXAMPLE =
      Pattern.compile("<pre>\\{@code\n(.*?)^ \\* }</pre>", Pattern.DOTALL | Pattern.MULTILINE);

  /** A line of a block that stands for lines of the file. */
  private static final String LEFT_OUT = "// ...";

  private static List<String> lines(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }

  /** The sources of the examples, a line of each for a line of code. */
  private static List<String> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Repository.root().resolve("examples"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(file -> Repository.text(Repository.root().relativize(file).toString()))
          .map(text -> '\n' + String.join("\n", lines(text)) + '\n')
          .toList();
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"docs/embedding.md", "docs/adding-a-provider.md"})
  @DisplayName("DC-10 is part of an example, which the build compiles")
  void compiled(String page) throws IOException {
    List<String> sources = sources();
    Matcher block = BLOCK.matcher(Repository.text(page));
    int count = 0;
    for (; block.find(); count++) {
      String code = '\n' + String.join("\n", lines(block.group(1))) + '\n';
      Pattern parts =
          Pattern.compile(Pattern.quote(code).replace(LEFT_OUT + '\n', "\\E(?s:.*)\\Q"));
      assertThat(sources).as(code).anyMatch(source -> parts.matcher(source).find());
    }
    assertThat(count).isPositive();
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource({
    "systems/agent, io.tidemark.agent.legacy.package-info, LegacyIpam",
    "systems/datastore, io.tidemark.datastore.legacy.package-info, LegacyDataStore",
    "systems/nodecidr, io.tidemark.nodecidr.CidrAllocator, CidrAllocator"
  })
  @DisplayName("DC-10 in a comment is that of a test")
  void tested(String module, String commented, String subject) {
    String path = commented.replace('.', '/');
    Matcher example = EXAMPLE.matcher(Repository.text(module + "/src/main/java/" + path + ".java"));
    assertThat(example.find()).isTrue();
    String test = path.substring(0, path.lastIndexOf('/') + 1) + subject + "ExampleTest.java";
    assertThat(Repository.text(module + "/src/test/java/" + test).replaceAll("\\s", ""))
        .contains(example.group(1).replaceAll("(?m)^ \\*|\\s", ""));
  }

  @Test
  @DisplayName("DC-10 names the versions of the build")
  void versions() {
    String pom = Repository.text("pom.xml");
    String page = Repository.text("docs/embedding.md");

    assertThat(page).contains("<version>" + first(pom, "<version>(.*)</version>") + "</version>");
    for (String library : List.of("slf4j", "jackson", "fabric8", "micrometer")) {
      String version = first(pom, "<" + library + ".version>(.*)</" + library + ".version>");
      assertThat(page).containsPattern("(?i)\\| [^|]*" + library + "[^|]* \\| " + version + " \\|");
    }
    assertThat(page).contains("| Java | " + first(pom, "<maven.compiler.release>(.*)</") + " ");
  }

  private static String first(String text, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(text);
    assertThat(found.find()).as(pattern).isTrue();
    return found.group(1);
  }
}
