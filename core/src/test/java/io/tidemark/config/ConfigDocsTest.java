package io.tidemark.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.SettingsTable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConfigDocsTest {
  @Test
  @DisplayName("docs/config.md lists every key of the engine with its form, default and meaning")
  void keys() {
    SettingsTable.assertListed("## Settings of the engine", CoreKey.all());
  }

  @Test
  @DisplayName("docs/config.md lists every older name and every key that is refused by name")
  void otherNames() {
    List<String> aliases = new ArrayList<>();
    for (Option<?> key : CoreKey.all()) {
      key.aliases().forEach(alias -> aliases.add("| `" + alias + "` | `" + key.key() + "` |"));
    }
    assertThat(SettingsTable.rows("## Older names")).containsExactlyElementsOf(aliases);
    List<String> refused = new ArrayList<>();
    RefusedKeys.all()
        .forEach((key, why) -> refused.add("| `" + key + "` | " + why.problem() + " |"));
    assertThat(SettingsTable.rows("## Keys that are refused"))
        .as("rows; expected:%n%s", String.join("\n", refused))
        .containsExactlyInAnyOrderElementsOf(refused);
  }
}
