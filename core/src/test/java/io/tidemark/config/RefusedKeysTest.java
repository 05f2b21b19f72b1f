package io.tidemark.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.SettingsTable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RefusedKeysTest {
  @Test
  @DisplayName("docs/config.md lists every key that is refused by name")
  void listed() {
    List<String> refused = new ArrayList<>();
    RefusedKeys.all()
        .forEach((key, why) -> refused.add("| `" + key + "` | " + why.problem() + " |"));
    assertThat(SettingsTable.rows("## Keys that are refused"))
        .as("rows; expected:%n%s", String.join("\n", refused))
        .containsExactlyInAnyOrderElementsOf(refused);
  }
}
