package io.tidemark.operator;

import io.tidemark.operator.SettingOptions.Settings;
import io.tidemark.operator.wiring.DirectoryHome;
import io.tidemark.operator.wiring.NodeHome;
import io.tidemark.operator.wiring.Providers;
import io.tidemark.spi.ProviderFactory;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of the commands that look at nodes. */
final class NodeOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--nodes",
      required = true,
      paramLabel = "DIR|FILE",
      description =
          "CiliumNode manifests: the *.yaml, *.yml and *.json files of a directory, or one file;"
              + " one or many objects per file, a kubectl list too.")
  private Path nodes = Path.of("");

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings as YAML, one key per line; the command line wins over it.")
  private @Nullable Path config;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description = "Give up after this time, such as 90s or 5m (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ofMinutes(5);

  Path nodes() {
    return nodes;
  }

  NodeHome.Opener home() {
    return DirectoryHome.opener(nodes);
  }

  Duration timeout() {
    return timeout;
  }

  /** Command line and file together. */
  Settings settings(ProviderFactory chosen, Providers providers) {
    return SettingOptions.read(command.commandLine().getParseResult(), config, chosen, providers);
  }
}
