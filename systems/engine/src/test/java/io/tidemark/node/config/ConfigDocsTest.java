package io.tidemark.node.config;

import io.tidemark.testing.SettingsTable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConfigDocsTest {
  @Test
  @DisplayName("docs/config.md lists every key of the engine with its form, default and meaning")
  void keys() {
    SettingsTable.assertListed("## Settings of the engine", EngineKey.all());
  }
}
