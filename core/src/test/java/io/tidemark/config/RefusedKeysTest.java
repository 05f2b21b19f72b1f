package io.tidemark.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.SettingsTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RefusedKeysTest {
  @Test
  @DisplayName("docs/config.md lists every key that is refused by name")
  void listed() {
    Map<String, String> keys = new TreeMap<>();
    new TreeMap<>(RefusedKeys.all())
        .forEach((key, why) -> keys.merge(why.problem(), "`" + key + "`", (a, b) -> a + ", " + b));
    List<String> refused = new ArrayList<>();
    keys.forEach((problem, of) -> refused.add("| " + of + " | " + problem + " |"));
    assertThat(SettingsTable.rows("## Keys that are refused"))
        .as("rows; expected:%n%s", String.join("\n", refused))
        .containsExactlyInAnyOrderElementsOf(refused);
  }
}
