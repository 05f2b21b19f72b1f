package io.tidemark.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Repository;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConfigDocsTest {
  private static final String PAGE = "docs/config.md";

  @Test
  @DisplayName("docs/config.md lists every key with its form, default and meaning")
  void keys() {
    listed("## Settings of the program", ProgramKey.all());
    listed("## Settings of the engine", CoreKey.all());
  }

  @Test
  @DisplayName("docs/config.md lists every older name and every key that is refused by name")
  void otherNames() {
    List<String> aliases = new ArrayList<>();
    for (Option<?> key : CoreKey.all()) {
      key.aliases().forEach(alias -> aliases.add("| `" + alias + "` | `" + key.key() + "` |"));
    }
    assertThat(rows("## Older names")).containsExactlyElementsOf(aliases);
    List<String> refused = new ArrayList<>();
    RefusedKeys.all()
        .forEach((key, why) -> refused.add("| `" + key + "` | " + why.problem() + " |"));
    assertThat(rows("## Keys that are refused"))
        .as("rows; expected:%n%s", String.join("\n", refused))
        .containsExactlyInAnyOrderElementsOf(refused);
  }

  private static void listed(String heading, List<Option<?>> keys) {
    List<String> expected = keys.stream().map(ConfigDocsTest::row).toList();
    assertThat(rows(heading))
        .as("rows; expected:%n%s", String.join("\n", expected))
        .containsExactlyElementsOf(expected);
  }

  private static String row(Option<?> key) {
    String form =
        switch (key.form()) {
          case TEXT -> "text";
          case FLAG -> "true, false";
          case INTEGER -> "whole number";
          case DECIMAL -> "number";
          case DURATION -> "duration";
          case DURATION_OR_SECONDS -> "duration, seconds";
        };
    return String.join(
        " | ",
        "| `" + key.key() + "`",
        form,
        key.defaultText().map(text -> "`" + text + "`").orElse("–"),
        key.meaning() + " |");
  }

  /** The rows of the section that begins with {@code heading}. */
  private static List<String> rows(String heading) {
    List<String> rows = new ArrayList<>();
    boolean inside = false;
    for (String line : Repository.text(PAGE).lines().toList()) {
      if (line.startsWith("## ")) {
        inside = line.equals(heading);
      } else if (inside && line.startsWith("| `")) {
        rows.add(line);
      }
    }
    return rows;
  }
}
