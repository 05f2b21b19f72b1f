package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

@DisplayName("The arguments in deploy")
class DeployedArgumentsTest {
  private static final Path DEPLOY = Repository.root().resolve("deploy");
  private static final String TEMPLATE = "deploy/helm/tidemark/templates/deployment.yaml";
  private static final Pattern ARGUMENT = Pattern.compile("--([a-z][a-z0-9-]*)(?==| |$)");
  private static final Pattern PATCHED = Pattern.compile("(?m)^ +value: (--\\S+)$");
  private static final Pattern OWN = Pattern.compile("\"([a-z-]+)\" \"[a-zA-Z.]+\"");

  private static CommandSpec run() {
    return Objects.requireNonNull(DocumentedCommandsTest.LINE.getSubcommands().get("run"))
        .getCommandSpec();
  }

  /** Those of run, without the names that a contiv.conf has. */
  private static Set<String> settings() {
    Set<String> names = new TreeSet<>();
    for (OptionSpec option : run().options()) {
      String name = option.longestName().substring(2);
      if (option.group() != null && name.equals(name.toLowerCase(Locale.ROOT))) {
        names.add(name);
      }
    }
    return names;
  }

  @ParameterizedTest(name = "deploy/{0}")
  @ValueSource(strings = {"base", "node-cidr", "node-id"})
  @DisplayName("DC-6 of a Deployment are accepted by run")
  void deployments(String folder) {
    List<List<String>> all =
        DeployedArguments.of(Repository.text("deploy/" + folder + "/deployment.yaml"));

    assertThat(all).hasSize(1);
    assertThat(DeployedArguments.read(all.get(0)).choice().name()).isNotEmpty();
  }

  @ParameterizedTest(name = "deploy/{0}")
  @ValueSource(strings = {"cluster-pool", "node-cidr-cloud", "taint-exhausted"})
  @DisplayName("DC-6 of an overlay are options of run")
  void overlays(String folder) {
    Matcher patched = PATCHED.matcher(Repository.text("deploy/" + folder + "/kustomization.yaml"));
    List<String> arguments = new ArrayList<>(List.of("run"));
    while (patched.find()) {
      arguments.add(patched.group(1));
    }

    assertThat(arguments).hasSizeGreaterThan(1);
    // One is what the patch expects there, and may name the same option.
    for (String argument : arguments.subList(1, arguments.size())) {
      DocumentedCommandsTest.LINE.parseArgs("run", argument);
    }
  }

  @Test
  @DisplayName("DC-6 that the template of the chart has itself are options of run")
  void template() {
    String text = Repository.text(TEMPLATE);
    Set<String> options = new HashSet<>();
    Matcher argument =
        ARGUMENT.matcher(text.substring(text.indexOf("args:"), text.indexOf("env:")));
    while (argument.find()) {
      options.add("--" + argument.group(1));
    }

    assertThat(options).hasSizeGreaterThan(7);
    assertThat(run().optionsMap().keySet()).containsAll(options);
  }

  /** The examples of values. */
  static Stream<Path> values() throws IOException {
    try (Stream<Path> files = Files.list(DEPLOY.resolve("helm/tests"))) {
      return files.sorted().toList().stream();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("values")
  @DisplayName("DC-6 that settings among the values become are options of run")
  void settingsOfValues(Path file) throws IOException {
    JsonNode values =
        new KubernetesSerialization().unmarshal(Files.readString(file), JsonNode.class);

    assertThat(settings()).containsAll(names(values.path("settings")));
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  @DisplayName("DC-6 the chart takes exactly the settings of run, and refuses all other names")
  void schema() throws IOException {
    JsonNode settings =
        new ObjectMapper()
            .readTree(Repository.text("deploy/helm/tidemark/values.schema.json"))
            .at("/properties/settings");
    Set<String> listed = new TreeSet<>();
    settings.at("/propertyNames/enum").forEach(each -> listed.add(each.asText()));
    Set<String> expected = settings();
    Matcher own = OWN.matcher(Repository.text(TEMPLATE));
    while (own.find()) {
      expected.add(own.group(1)); // it is refused with the name of its value
    }

    assertThat(listed).as("expected: %s", expected).isEqualTo(expected);
  }

  @Test
  @DisplayName("that no command has, or that contradict each other, would be noticed here")
  void refused() {
    assertThatThrownBy(
            () -> DeployedArguments.read(List.of("run", "--provider=aws", "--min-allocate=10")))
        .hasMessageContaining("--min-allocate=10");
    assertThatThrownBy(
            () -> DeployedArguments.read(List.of("run", "--provider=aws", "--eni-tags=x")))
        .hasMessageContaining("eni-tags=x");
  }
}
