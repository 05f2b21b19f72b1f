package io.tidemark.operator;

import io.tidemark.config.ConfigKeys;
import io.tidemark.config.ConfigProblems;
import io.tidemark.error.IpamException;
import io.tidemark.nodecidr.config.NodeCidrConfig;
import io.tidemark.nodecidr.config.NodeCidrKey;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.plan.CapacityPlan;
import io.tidemark.operator.report.NodeCidrPlanJson;
import io.tidemark.operator.report.NodeCidrPlanText;
import io.tidemark.program.CommandGroup;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.ExitCode;
import io.tidemark.program.SettingArguments;
import io.tidemark.program.SettingPlaces;
import io.tidemark.program.Version;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark node-cidr}: the pod CIDRs of nodes. */
@Command(
    name = "node-cidr",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Plans the pod CIDRs of the nodes of a cluster: how many nodes its ranges serve, and which"
          + " range ends first. Needs no cluster."
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n")
final class NodeCidrCommand extends CommandGroup {
  /** The most nodes that a plan is asked for. */
  private static final int COUNT_MOST = 1_000_000_000;

  /** The command and the one below it. */
  static CommandLine with(Surroundings surroundings) {
    CommandLine plan = new CommandLine(new Plan(surroundings));
    SettingArguments.add(
        plan.getCommandSpec(),
        "%nSettings of node CIDRs, also keys of --config:%n",
        20,
        NodeCidrKey.all());
    return new CommandLine(new NodeCidrCommand()).addSubcommand(plan);
  }

  /** {@code tidemark node-cidr plan}: what ranges are good for. */
  @Command(
      name = "plan",
      mixinStandardHelpOptions = true,
      versionProvider = Version.class,
      sortOptions = false,
      customSynopsis = "tidemark node-cidr plan [OPTIONS]",
      description = {
        "Shows how many nodes the configured ranges of pod addresses serve: blocks, what is"
            + " excluded, addresses of a node, the first and the last block, and the family that"
            + " ends first. Validates the settings of node CIDRs. Reads no cluster and writes"
            + " nothing."
      },
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {
        "0:The ranges serve --count nodes, if it is given.",
        "1:An unexpected failure.",
        "2:The command line or the configuration is invalid; all problems are listed.",
        "3:The ranges serve fewer nodes than --count."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  tidemark node-cidr plan --cluster-cidr=10.244.0.0/16",
        "  tidemark node-cidr plan --cluster-cidr=10.244.0.0/16,fd00::/48 --count=300",
        "  tidemark node-cidr plan --config-dir=/etc/cilium-config --output=json"
      })
  static final class Plan implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin private final CommonOptions common = new CommonOptions();

    @Option(
        names = "--count",
        paramLabel = "N",
        description = "Plan for this many nodes; fails with 3 when the ranges serve fewer.")
    private @Nullable Integer count;

    @Option(
        names = "--config",
        paramLabel = "FILE",
        description =
            "Settings as YAML, one key per line. Command line and environment"
                + " (TIDEMARK_CLUSTER_CIDR for cluster-cidr) take precedence.")
    private @Nullable Path file;

    @Option(
        names = "--config-dir",
        paramLabel = "DIR",
        description =
            "Settings as one file per key, such as the mounted ConfigMap of the agents. Unknown"
                + " keys are ignored. The file of --config takes precedence.")
    private @Nullable Path directory;

    @Spec private CommandSpec spec = CommandSpec.create();

    Plan(Surroundings surroundings) {
      this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
      common.startLogging(surroundings.console(), CommonOptions.LogLevel.WARN);
      OptionalLong nodes =
          count == null
              ? OptionalLong.empty()
              : OptionalLong.of(Bounds.checked(spec, "--count", count, 1, COUNT_MOST));
      ConfigProblems problems = new ConfigProblems();
      NodeCidrConfig config = read(problems);
      problems.throwIfAny();
      CapacityPlan plan =
          CapacityPlan.of(config.cidrs().orElseThrow(() -> noRanges(config)), nodes);
      surroundings
          .console()
          .print(
              common.json()
                  ? NodeCidrPlanJson.print(plan, config.notes())
                  : NodeCidrPlanText.print(plan, config.notes()));
      return (plan.lacking().isPresent() ? ExitCode.BLOCKED : ExitCode.DONE).number();
    }

    private static IpamException noRanges(NodeCidrConfig config) {
      return new IpamException(
          NodeCidrError.CIDR_MODE,
          "cidr-allocator-type is "
              + config.type().text()
              + ": the cloud assigns the CIDRs, so there is nothing to plan");
    }

    private NodeCidrConfig read(ConfigProblems problems) {
      ConfigKeys others = SettingsReader.keysOfAll(surroundings.providers());
      SettingPlaces places =
          new SettingPlaces(
              SettingArguments.given(spec.commandLine().getParseResult()),
              surroundings.environment(),
              Optional.ofNullable(file),
              Optional.ofNullable(directory),
              Optional.empty());
      return NodeCidrConfig.read(
          places.layers(others.with(NodeCidrKey.all()), problems), others, problems);
    }
  }
}
