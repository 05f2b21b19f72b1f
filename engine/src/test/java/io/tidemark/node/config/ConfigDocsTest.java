package io.tidemark.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.Option;
import io.tidemark.testing.SettingsTable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConfigDocsTest {
  @Test
  @DisplayName("docs/config.md lists every key of the engine with its form, default and meaning")
  void keys() {
    SettingsTable.assertListed("## Settings of the engine", EngineKey.all());
  }

  @Test
  @DisplayName("docs/config.md lists every older name")
  void otherNames() {
    List<String> aliases = new ArrayList<>();
    for (Option<?> key : EngineKey.all()) {
      key.aliases().forEach(alias -> aliases.add("| `" + alias + "` | `" + key.key() + "` |"));
    }
    assertThat(SettingsTable.rows("## Older names")).containsExactlyElementsOf(aliases);
  }
}
