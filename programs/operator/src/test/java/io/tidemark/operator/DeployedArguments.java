package io.tidemark.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.tidemark.config.Setting;
import io.tidemark.engine.Providers;
import io.tidemark.program.ClusterSettings;
import io.tidemark.program.SettingArguments;
import io.tidemark.program.SettingPlaces;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** The arguments of the operator's containers in manifests, and what the program makes of them. */
final class DeployedArguments {
  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  /** The ConfigMap of agents, which some modes need. */
  private static final ClusterSettings OF_AGENTS =
      new ClusterSettings() {
        @Override
        public String where() {
          return "ConfigMap kube-system/cilium-config";
        }

        @Override
        public Map<String, String> read() {
          return Map.of("cluster-pool-ipv4-cidr", "10.0.0.0/8", "tunnel-protocol", "vxlan");
        }
      };

  private DeployedArguments() {}

  /** Those of each container that runs the operator, in a text of manifests. */
  static List<List<String>> of(String manifests) {
    return Stream.of(manifests.split("(?m)^---\\s*$", -1))
        .filter(each -> each.contains("kind: Deployment"))
        .map(each -> arguments(YAML.unmarshal(each, JsonNode.class)))
        .toList();
  }

  private static List<String> arguments(JsonNode deployment) {
    List<String> arguments = new ArrayList<>();
    deployment
        .at("/spec/template/spec/containers/0/args")
        .forEach(each -> arguments.add(each.asText()));
    return arguments;
  }

  /**
   * Reads them as {@code run} does at its start.
   *
   * @throws picocli.CommandLine.ParameterException when the command has no such option
   * @throws io.tidemark.error.IpamException when a setting is refused
   */
  static Settings read(List<String> arguments) {
    ParseResult run =
        DocumentedCommandsTest.LINE.parseArgs(arguments.toArray(String[]::new)).subcommand();
    List<Setting> given = new ArrayList<>(SettingArguments.given(run));
    String provider = run.matchedOptionValue("--provider", "");
    if (!provider.isEmpty()) {
      given.add(new Setting("provider", provider, SettingArguments.COMMAND_LINE));
    }
    return SettingsReader.read(
        new SettingPlaces(
            given,
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(OF_AGENTS).filter(any -> run.hasMatchedOption("--config-map"))),
        Providers.installed(),
        secret -> {},
        true);
  }
}
