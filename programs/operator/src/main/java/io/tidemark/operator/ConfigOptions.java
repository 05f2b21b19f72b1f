package io.tidemark.operator;

import io.tidemark.config.Setting;
import io.tidemark.program.ClusterSettings;
import io.tidemark.program.SettingArguments;
import io.tidemark.program.SettingPlaces;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of the commands that need settings: the cloud, and where its settings are. */
final class ConfigOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      description =
          "Cloud provider: aws, azure, mock or one of a plugin; the default follows from the"
              + " settings provider and ipam.")
  private @Nullable String provider;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Settings as YAML, one key per line. Command line and environment (TIDEMARK_CLUSTER_NAME"
              + " is cluster-name) take precedence.")
  private @Nullable Path file;

  @Option(
      names = "--config-dir",
      paramLabel = "DIR",
      description =
          "Settings as one file per key, such as the mounted ConfigMap of the agents; unknown keys"
              + " are ignored. --config takes precedence.")
  private @Nullable Path directory;

  /**
   * The effective settings, everything considered.
   *
   * @param cluster settings that the cluster keeps, the weakest of all
   * @throws io.tidemark.error.IpamException listing everything that is wrong
   */
  Settings settings(Surroundings surroundings, Optional<ClusterSettings> cluster) {
    return SettingsReader.read(
        places(surroundings, cluster),
        surroundings.providers(),
        surroundings.console().secrets()::learn,
        false);
  }

  SettingPlaces places(Surroundings surroundings, Optional<ClusterSettings> cluster) {
    List<Setting> given = new ArrayList<>();
    if (provider != null) {
      given.add(new Setting(ProgramKey.PROVIDER.key(), provider, SettingArguments.COMMAND_LINE));
    }
    given.addAll(SettingArguments.given(command.commandLine().getParseResult()));
    return new SettingPlaces(
        given,
        surroundings.environment(),
        Optional.ofNullable(file),
        Optional.ofNullable(directory),
        cluster);
  }
}
