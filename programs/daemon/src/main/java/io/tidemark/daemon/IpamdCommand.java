package io.tidemark.daemon;

import io.tidemark.config.Setting;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.ExitCode;
import io.tidemark.program.SettingArguments;
import io.tidemark.program.SettingPlaces;
import io.tidemark.program.Version;
import io.tidemark.program.console.Console;
import io.tidemark.time.StopSignal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark ipamd}: gives pods addresses through the plugin of the AWS VPC CNI. */
@Command(
    name = "ipamd",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "tidemark ipamd [OPTIONS] [--interfaces=FILE]",
    description = {
      "Gives the pods of one node their addresses: answers the unmodified plugin aws-cni of the AWS"
          + " VPC CNI, version 1.7 and later. The interfaces and addresses of the node are those"
          + " of its instance in EC2; ipamd adds and releases addresses to meet the targets. With"
          + " --interfaces they are those of a file, and ipamd adds and releases none. Assignments"
          + " are kept in a file that the AWS VPC CNI can read. Runs until it is stopped.",
      "",
      "The variables of the AWS VPC CNI's own daemon count after all other places of settings,"
          + " such as WARM_IP_TARGET and IP_COOLDOWN_PERIOD (docs/ipamd.md)."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:It was stopped.",
      "1:An unexpected failure.",
      "2:The command line, the configuration or a file is invalid; nothing was served."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark ipamd --warm-ip-target=4 --minimum-ip-target=10 \\",
      "    --host-network-hook=/usr/local/bin/interface",
      "  tidemark ipamd --interfaces=interfaces.json \\",
      "    --ipamd-socket=/tmp/tidemark/ipamd.sock \\",
      "    --checkpoint-path=/tmp/tidemark/ipam.json"
    })
final class IpamdCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(IpamdCommand.class);

  private final Console console;
  private final StopSignal stop;
  private final Map<String, String> environment;

  @Option(
      names = "--interfaces",
      paramLabel = "FILE",
      description =
          "The interfaces of the node and their addresses, as JSON; EC2 is not asked then.")
  private @Nullable Path interfaces;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Settings as YAML, one key per line. Command line and environment"
              + " (TIDEMARK_PLUGIN_VERSION for plugin-version) take precedence.")
  private @Nullable Path file;

  @Mixin private final CommonOptions common = new CommonOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  IpamdCommand(Console console, StopSignal stop, Map<String, String> environment) {
    this.console = console;
    this.stop = stop;
    this.environment = Map.copyOf(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    common.startLogging(
        console, console.isTerminal() ? CommonOptions.LogLevel.WARN : CommonOptions.LogLevel.INFO);
    List<Setting> given =
        new ArrayList<>(SettingArguments.given(spec.commandLine().getParseResult()));
    IpamdConfig config =
        IpamdConfig.read(
            new SettingPlaces(
                given, environment, Optional.ofNullable(file), Optional.empty(), Optional.empty()),
            interfaces == null);
    List<String> unused = ReferenceEnvironment.withoutEffect(environment);
    if (!unused.isEmpty()) {
      LOG.warn("Variables of the AWS VPC CNI that have no effect here are set: {}", unused);
    }
    for (String each : IdleTargets.of(config, interfaces == null)) {
      LOG.warn("A setting has no effect: {}", each);
    }
    try (IpamdNode node = IpamdNode.start(config, Optional.ofNullable(interfaces))) {
      console.note("tidemark: serving the plugin aws-cni on " + node.places());
      stop.needs(Main.LONGEST_END_OF_SERVICE);
      stop.await();
    }
    return ExitCode.DONE.number();
  }
}
