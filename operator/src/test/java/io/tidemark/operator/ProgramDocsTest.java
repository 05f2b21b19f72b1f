package io.tidemark.operator;

import io.tidemark.testing.SettingsTable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProgramDocsTest {
  @Test
  @DisplayName("docs/config.md lists every key of the program with its form, default and meaning")
  void keys() {
    SettingsTable.assertListed("## Settings of the program", ProgramKey.all());
  }
}
