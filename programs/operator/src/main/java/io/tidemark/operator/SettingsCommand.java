package io.tidemark.operator;

import io.tidemark.config.Setting;
import io.tidemark.program.ClusterSettings;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.SettingArguments;
import io.tidemark.program.SettingPlaces;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that needs settings; its options name the cloud, and where its settings are. */
abstract class SettingsCommand implements Callable<Integer> {
  final Surroundings surroundings;

  @Mixin final CommonOptions common = new CommonOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

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

  SettingsCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  final CommandSpec spec() {
    return spec;
  }

  /**
   * The effective settings, everything considered.
   *
   * @param cluster settings that the cluster keeps, the weakest of all
   * @throws io.tidemark.error.IpamException listing everything that is wrong
   */
  final Settings settings(Optional<ClusterSettings> cluster) {
    return SettingsReader.read(
        places(cluster), surroundings.providers(), surroundings.console().secrets()::learn, false);
  }

  final SettingPlaces places(Optional<ClusterSettings> cluster) {
    List<Setting> given = new ArrayList<>();
    if (provider != null) {
      given.add(new Setting(ProgramKey.PROVIDER.key(), provider, SettingArguments.COMMAND_LINE));
    }
    given.addAll(SettingArguments.given(spec.commandLine().getParseResult()));
    return new SettingPlaces(
        given,
        surroundings.environment(),
        Optional.ofNullable(file),
        Optional.ofNullable(directory),
        cluster);
  }
}
