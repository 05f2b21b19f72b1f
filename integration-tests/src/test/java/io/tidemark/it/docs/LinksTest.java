package io.tidemark.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.DocumentCommands;
import io.tidemark.testing.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A link in a document")
class LinksTest {
  private static final Pattern CODE =
      Pattern.compile("^```.*?^```|`[^`\n]*`", Pattern.DOTALL | Pattern.MULTILINE);

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.+?) *#*$", Pattern.MULTILINE);

  static List<String> documents() {
    return DocumentCommands.documents();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("documents")
  @DisplayName("DC-3 leads to a file of the checkout, and to a heading that is there")
  void leads(String document) {
    Path root = Repository.root();
    Path from = root.resolve(document);
    List<String> broken = new ArrayList<>();
    Matcher link = LINK.matcher(CODE.matcher(Repository.text(document)).replaceAll("x"));
    while (link.find()) {
      String[] parts = link.group(1).split("#", 2);
      if (parts[0].matches("[a-z]+:.*")) {
        continue;
      }
      Path target = (parts[0].isEmpty() ? from : from.resolveSibling(parts[0])).normalize();
      boolean found =
          target.startsWith(root)
              && Files.exists(target)
              && (parts.length == 1
                  || anchors(Repository.text(root.relativize(target).toString()))
                      .contains(parts[1]));
      if (!found) {
        broken.add(link.group(1));
      }
    }

    assertThat(broken).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"docs/", "docs/internals/"})
  @DisplayName("DC-3 leads from the index of a folder to every page in it")
  void index(String folder) {
    String index = Repository.text(folder + "README.md");

    assertThat(documents().stream().filter(each -> each.matches(folder + "[\\w-]+\\.md")))
        .hasSizeGreaterThan(5)
        .filteredOn(each -> !each.equals(folder + "README.md"))
        .allSatisfy(each -> assertThat(index).contains("](" + each.substring(folder.length())));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          In a cluster                     | in-a-cluster
          `kubectl` and [the rest](x.md)   | kubectl-and-the-rest
          A & B, C: d_e                    | a--b-c-d_e
          """)
  @DisplayName("DC-3 names a heading as forges and the site do")
  void anchor(String heading, String anchor) {
    assertThat(anchors("# One\n\n## " + heading + "\n")).contains("one", anchor);
  }

  @Test
  @DisplayName("DC-3 to a heading that comes twice has its number")
  void twice() {
    assertThat(anchors("# A\n## A\n```\n# not one\n```\n")).containsExactlyInAnyOrder("a", "a-1");
  }

  /** As forges make them of headings. */
  private static Set<String> anchors(String text) {
    String plain =
        Pattern.compile("^```.*?^```", Pattern.DOTALL | Pattern.MULTILINE)
            .matcher(text)
            .replaceAll("");
    Map<String, Integer> seen = new HashMap<>();
    Set<String> anchors = new HashSet<>();
    Matcher heading = HEADING.matcher(plain);
    while (heading.find()) {
      String anchor =
          heading
              .group(1)
              .replaceAll("\\]\\([^)]*\\)", "")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-');
      int before = seen.merge(anchor, 1, Integer::sum) - 1;
      anchors.add(before == 0 ? anchor : anchor + '-' + before);
    }
    return anchors;
  }
}
