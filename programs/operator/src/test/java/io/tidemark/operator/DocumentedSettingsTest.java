package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.engine.Providers;
import io.tidemark.nodecidr.config.NodeCidrKey;
import io.tidemark.nodeid.config.NodeIdKey;
import io.tidemark.spi.ProviderFactory;
import io.tidemark.testing.DocumentSettings;
import io.tidemark.testing.DocumentSettings.Given;
import io.tidemark.testing.SettingsTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

@DisplayName("A setting in a document")
class DocumentedSettingsTest {
  /** Settings of Cilium's agents and of Cluster Autoscaler, which a sentence names. */
  private static final Set<String> OF_OTHERS =
      Set.of("enable-endpoint-health-checking", "status-taint");

  /** Programs of a node, whose modules check the values. */
  private static final List<String> OF_NODES =
      List.of("## Settings of the agent of a node", "## Settings of ipamd");

  /** All of the operator: one key can have a form in each mode. */
  private static List<Option<?>> settings() {
    List<Option<?>> all = new ArrayList<>(ProgramKey.withEngine());
    all.addAll(NodeCidrKey.all());
    all.addAll(NodeIdKey.all());
    for (ProviderFactory provider : Providers.installed().all()) {
      all.addAll(provider.settings());
    }
    return all;
  }

  private static Set<String> optionsBelow(CommandLine line) {
    Set<String> names = new HashSet<>(line.getCommandSpec().optionsMap().keySet());
    line.getSubcommands().values().forEach(each -> names.addAll(optionsBelow(each)));
    return names;
  }

  private static boolean isOfNodes(String key) {
    return OF_NODES.stream()
        .flatMap(heading -> SettingsTable.rows(heading).stream())
        .anyMatch(row -> row.startsWith("| `" + key + "` |"));
  }

  static Stream<Given> given() {
    List<Given> all = DocumentSettings.all();
    assertThat(all).hasSizeGreaterThan(30);
    return all.stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("given")
  @DisplayName("DC-5 exists, and takes its value")
  void exists(Given given) {
    List<Option<?>> options =
        settings().stream()
            .filter(each -> each.key().equals(given.key()) || each.aliases().contains(given.key()))
            .toList();
    if (options.isEmpty()) {
      assertThat(
              OF_OTHERS.contains(given.key())
                  || isOfNodes(given.key())
                  || optionsBelow(DocumentedCommandsTest.LINE).contains("--" + given.key()))
          .as("a setting or an option of some program")
          .isTrue();
    } else if (!given.isPlaceholder() && !isOfNodes(given.key())) {
      assertThat(options).anyMatch(each -> takes(each, given.value()));
    }
  }

  private static boolean takes(Option<?> option, String value) {
    ConfigProblems problems = new ConfigProblems();
    option.read(new ConfigReader(ConfigSource.of(Map.of(option.key(), value)), problems));
    return problems.found().isEmpty();
  }
}
