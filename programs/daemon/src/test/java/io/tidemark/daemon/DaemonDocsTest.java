package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.AwsInstance;
import io.tidemark.testing.ErrorDocs;
import io.tidemark.testing.Repository;
import io.tidemark.testing.SettingsTable;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The documents of the program of a node")
class DaemonDocsTest {
  @Test
  @DisplayName("docs/config.md lists every key of the agent with its form, default and meaning")
  void settings() {
    SettingsTable.assertListed("## Settings of the agent of a node", AgentKey.all());
  }

  @Test
  @DisplayName("docs/config.md lists every key of ipamd with its form, default and meaning")
  void settingsOfIpamd() {
    SettingsTable.assertListed("## Settings of ipamd", IpamdKey.all());
  }

  @Test
  @DisplayName("docs/aws.md lists the keys of EC2 that ipamd reads")
  void settingsOfEc2() throws IOException {
    String page = Repository.text("docs/aws.md");
    assertThat(AwsInstance.settings())
        .allSatisfy(key -> assertThat(page).contains("| `" + key.key() + "` |"));
  }

  @Test
  @DisplayName("docs/errors.md lists every code of the program, and each is sound")
  void codes() {
    ErrorDocs.assertListed(1800, 1899, List.of(DaemonError.class));
    ErrorDocs.assertSound(List.of(DaemonError.class));
  }
}
