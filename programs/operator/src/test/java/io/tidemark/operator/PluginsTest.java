package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.operator.Program.Result;
import io.tidemark.spi.PluginJars;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The setting plugins")
class PluginsTest {
  private static final String UNKNOWN = "there is no provider 'gcp'; known: aws, azure, mock, own";

  @TempDir private Path directory;

  private PluginJars jars;

  @BeforeEach
  void plugin() throws Exception {
    jars = new PluginJars(directory);
    jars.plugin("one", "One", "\"own\"", "null");
  }

  @Test
  @DisplayName("PL-4 adds providers, from the command line or from the environment")
  void places() {
    String folder = jars.plugins().toString();
    assertThat(Program.run("config", "--provider=gcp", "--plugins=" + folder).err())
        .contains(UNKNOWN);
    assertThat(Program.run("config", "--provider=gcp", "--plugins", folder).err())
        .contains(UNKNOWN);
    assertThat(Program.run(Map.of("TIDEMARK_PLUGINS", folder), "config", "--provider=gcp").err())
        .contains(UNKNOWN);
  }

  @Test
  @DisplayName("PL-4 is listed by config, with the providers that there are")
  void listed() {
    String folder = jars.plugins().toString();
    Result result = Program.run("config", "--provider=mock", "--plugins=" + folder).ends(0);
    assertThat(result.out())
        .contains("provider mock, chosen by command line; providers: aws, azure, mock, own")
        .containsPattern("plugins +" + folder + " +command line");
  }

  @Test
  @DisplayName("PL-4 is refused in a file, which is read too late")
  void tooLate() throws Exception {
    Path file = Files.writeString(directory.resolve("s.yaml"), "plugins: /opt/plugins\n");
    assertThat(Program.run("config", "--provider=mock", "--config=" + file).ends(2).err())
        .contains("s.yaml:1: plugins=/opt/plugins cannot be set here")
        .contains("Set --plugins or TIDEMARK_PLUGINS instead.");
  }

  @Test
  @DisplayName("PL-3 a plugin that cannot be loaded ends every command with 2 and the reason")
  void broken() throws Exception {
    Files.createDirectories(jars.plugins().resolve("two"));
    assertThat(Program.run("status", "--plugins=" + jars.plugins()).ends(2).err())
        .isEqualTo(
            "tidemark: TM-1027 PLUGIN_REFUSED: "
                + jars.plugins()
                + "/two: has no jar. Correct or remove these plugins; see"
                + " docs/adding-a-provider.md.\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ipam", "nodes", "cluster-pool-ipv4-cidr"})
  @DisplayName("PL-3 a plugin with a setting that the program has as an option is refused")
  void takenName(String key) throws Exception {
    jars.plugin("two", "Two", "\"two\"", "null", key);
    assertThat(Program.run("run", "--plugins=" + jars.plugins()).ends(2).err())
        .startsWith(
            "tidemark: TM-1027 PLUGIN_REFUSED: provider 'two' has the setting "
                + key
                + ", which is an option of the program.");
  }
}
