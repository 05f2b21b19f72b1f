package io.tidemark.nodeid.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.Option;
import io.tidemark.testing.Repository;
import io.tidemark.testing.SettingsTable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeIdKeyTest {
  @Test
  @DisplayName("docs/config.md lists every key of node ids with its form, default and meaning")
  void documented() {
    SettingsTable.assertListed("## Subnets from node ids", NodeIdKey.all());
  }

  @Test
  @DisplayName("docs/node-id.md lists every name of Contiv with its key")
  void ofContiv() {
    String page = Repository.text("docs/node-id.md");
    for (Option<?> key : NodeIdKey.all()) {
      for (String alias : key.aliases()) {
        assertThat(page).contains("\n| `" + alias + "` | `" + key.key() + "` |\n");
      }
    }
  }
}
