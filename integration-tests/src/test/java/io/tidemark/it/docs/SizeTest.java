package io.tidemark.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.DocumentCommands;
import io.tidemark.testing.Repository;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("DC-8 The documents for users are short")
class SizeTest {
  private static final Pattern BLOCK =
      Pattern.compile("^ *```.*?^ *```", Pattern.DOTALL | Pattern.MULTILINE);

  @Test
  @DisplayName("DC-8 the README fits a screen")
  void readme() {
    assertThat(Repository.text("README.md").lines()).hasSizeLessThanOrEqualTo(80);
  }

  @Test
  @DisplayName("DC-8 all pages together have 30,000 words at most")
  void pages() {
    Map<String, Long> words = new TreeMap<>();
    for (String page : DocumentCommands.documents()) {
      if (page.equals("README.md") || page.matches("docs/[\\w-]+\\.md")) {
        words.put(page, words(Repository.text(page)));
      }
    }

    assertThat(words.values().stream().mapToLong(each -> each).sum())
        .as("%s", words)
        .isBetween(10_000L, 30_000L);
  }

  /** The words with a letter or a digit, without blocks of code and the targets of links. */
  private static long words(String page) {
    String prose = BLOCK.matcher(page).replaceAll("").replaceAll("\\]\\([^)]*\\)", "]");
    return Pattern.compile("\\s+")
        .splitAsStream(prose)
        .filter(word -> word.matches(".*[\\p{L}\\p{N}].*"))
        .count();
  }
}
