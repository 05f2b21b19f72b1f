package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.Option;
import io.tidemark.node.config.EngineKey;
import io.tidemark.testing.SettingsTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProgramDocsTest {
  @Test
  @DisplayName("docs/config.md lists every key of the program with its form, default and meaning")
  void keys() {
    SettingsTable.assertListed("## Settings of the program", ProgramKey.all());
  }

  @Test
  @DisplayName("docs/config.md lists every older name")
  void otherNames() {
    List<String> aliases = new ArrayList<>();
    for (Option<?> key :
        Stream.concat(EngineKey.all().stream(), ProgramKey.all().stream()).toList()) {
      key.aliases().forEach(alias -> aliases.add("| `" + alias + "` | `" + key.key() + "` |"));
    }
    assertThat(SettingsTable.rows("## Older names")).containsExactlyElementsOf(aliases);
  }
}
