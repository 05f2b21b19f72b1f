package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.config.Option;
import io.tidemark.engine.Tidemark;
import io.tidemark.engine.TidemarkBuilder;
import io.tidemark.node.config.EngineKey;
import io.tidemark.testing.Repository;
import io.tidemark.testing.SettingsTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  @DisplayName("an embedded engine says of every key of the program whose it is, as does its page")
  void embedded() {
    NodeBackend.Opener unopened =
        environment -> {
          throw new AssertionError("opened");
        };
    for (Option<?> key : ProgramKey.all()) {
      assertThat(Repository.text("docs/embedding.md")).contains('`' + key.key() + '`');
      for (String name : Stream.concat(Stream.of(key.key()), key.aliases().stream()).toList()) {
        TidemarkBuilder builder =
            Tidemark.builder().provider("mock").store(unopened).settings(Map.of(name, "x"));
        assertThatThrownBy(builder::build).hasMessageContaining(name + " is a setting of ");
      }
    }
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
