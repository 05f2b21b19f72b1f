package io.tidemark.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.Option;
import java.util.ArrayList;
import java.util.List;

/** The tables of settings in docs/config.md. */
public final class SettingsTable {
  private static final String PAGE = "docs/config.md";

  private SettingsTable() {}

  /**
   * The section has exactly the rows of these settings, in their order, except those that an
   * earlier section has.
   */
  public static void assertListed(String heading, List<Option<?>> keys) {
    String earlier = Repository.text(PAGE).split("\n" + heading + "\n", 2)[0];
    List<String> expected =
        keys.stream().map(SettingsTable::row).filter(row -> !earlier.contains(row)).toList();
    assertThat(rows(heading))
        .as("rows; expected:%n%s", String.join("\n", expected))
        .containsExactlyElementsOf(expected);
  }

  private static String row(Option<?> key) {
    String form =
        switch (key.form()) {
          case TEXT -> "text";
          case FLAG -> "boolean";
          case INTEGER -> "integer";
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
  public static List<String> rows(String heading) {
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
