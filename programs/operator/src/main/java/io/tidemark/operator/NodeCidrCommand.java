package io.tidemark.operator;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.config.ConfigKeys;
import io.tidemark.config.ConfigProblems;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import io.tidemark.file.FileTooLarge;
import io.tidemark.manifests.ManifestDump;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.nodecidr.config.NodeCidrConfig;
import io.tidemark.nodecidr.config.NodeCidrKey;
import io.tidemark.nodecidr.config.NodeCidrKey.Mode;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.plan.CapacityPlan;
import io.tidemark.nodecidr.plan.NodePlan;
import io.tidemark.nodecidr.plan.UsageScrape;
import io.tidemark.nodecidr.pool.CiliumNodeCidrs;
import io.tidemark.operator.report.NodeCidrPlanJson;
import io.tidemark.operator.report.NodeCidrPlanText;
import io.tidemark.operator.report.NodeCidrReport;
import io.tidemark.program.CommandGroup;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.ExitCode;
import io.tidemark.program.SettingArguments;
import io.tidemark.program.SettingPlaces;
import io.tidemark.program.Version;
import io.tidemark.resource.NodeResource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark node-cidr}: the pod CIDRs of nodes. */
@Command(
    name = "node-cidr",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Plans the pod CIDRs of the nodes of a cluster: how many nodes its ranges serve, which range"
          + " ends first, and what is wrong with nodes that exist. Needs no cluster."
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n")
final class NodeCidrCommand extends CommandGroup {
  private static final int COUNT_MOST = 1_000_000_000;

  /** Bytes of the largest file of metrics that is read. */
  private static final int METRICS_MOST = 64 << 20;

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

  /** {@code tidemark node-cidr plan}: what ranges are good for, and for nodes that exist. */
  @Command(
      name = "plan",
      mixinStandardHelpOptions = true,
      versionProvider = Version.class,
      sortOptions = false,
      customSynopsis = "tidemark node-cidr plan [OPTIONS]",
      description = {
        "Shows how many nodes the configured ranges of pod addresses serve: blocks, what is"
            + " excluded, addresses of a node, the first and the last block, and the family that"
            + " ends first. With --nodes also what is wrong with the CIDRs of nodes that exist, and"
            + " which CIDRs the others would get. Validates the settings of node CIDRs. Reads no"
            + " cluster and writes nothing."
      },
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {
        "0:The ranges serve --count nodes, if it is given, and nothing is wrong with --nodes.",
        "1:An unexpected failure.",
        "2:The command line or the configuration is invalid; all problems are listed.",
        "3:The ranges serve fewer nodes than --count, or there are findings, or objects were"
            + " refused; the report says why."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  tidemark node-cidr plan --cluster-cidr=10.244.0.0/16",
        "  tidemark node-cidr plan --cluster-cidr=10.244.0.0/16,fd00::/48 --count=300",
        "  tidemark node-cidr plan --config-dir=/etc/cilium-config --output=json",
        "  kubectl get nodes -o yaml |",
        "      tidemark node-cidr plan --cluster-cidr=10.244.0.0/16 --nodes=-"
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
        names = "--nodes",
        paramLabel = "DIR|FILE|-",
        description =
            "Nodes that exist, as kubectl get nodes -o yaml or -o json prints them: the YAML"
                + " and JSON files of a directory, one file, or the standard input. With"
                + " --ipam=cluster-pool these are CiliumNodes.")
    private @Nullable String nodes;

    @Option(
        names = "--metrics",
        paramLabel = "FILE",
        description =
            "Metrics of the present allocator, as Prometheus reads them from it: reports blocks"
                + " that it counts as used, though no node of --nodes has them.")
    private @Nullable Path metrics;

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
      if (metrics != null && nodes == null) {
        throw new ParameterException(
            spec.commandLine(), "--metrics is compared with nodes; give --nodes as well");
      }
      OptionalLong wanted =
          count == null
              ? OptionalLong.empty()
              : OptionalLong.of(CommonOptions.bounded(spec, "--count", count, 1, COUNT_MOST));
      ConfigProblems problems = new ConfigProblems();
      NodeCidrConfig config = read(problems);
      problems.throwIfAny();
      ClusterCidrs cidrs =
          config
              .cidrs()
              .filter(each -> config.type() != CidrAllocatorType.CLOUD_ALLOCATOR)
              .orElseThrow(() -> noRanges(config));
      NodeCidrReport report = report(config, cidrs, wanted);
      surroundings
          .console()
          .print(common.json() ? NodeCidrPlanJson.print(report) : NodeCidrPlanText.print(report));
      return (report.needsAttention() ? ExitCode.BLOCKED : ExitCode.DONE).number();
    }

    private NodeCidrReport report(NodeCidrConfig config, ClusterCidrs cidrs, OptionalLong wanted) {
      CapacityPlan capacity = CapacityPlan.of(cidrs, wanted);
      if (nodes == null) {
        return new NodeCidrReport(capacity, Optional.empty(), List.of(), config.notes());
      }
      Optional<UsageScrape> counted = Optional.ofNullable(metrics).map(Plan::scrape);
      ManifestDump<ClusterNode> dump = existing(config.mode(), nodes, surroundings.in());
      NodePlan plan = NodePlan.of(cidrs, dump.objects(), dump.refused().isEmpty(), counted);
      List<String> notes = new ArrayList<>(config.notes());
      notes.addAll(plan.notes());
      return new NodeCidrReport(capacity, Optional.of(plan), dump.refused(), notes);
    }

    private static IpamException noRanges(NodeCidrConfig config) {
      return new IpamException(
          NodeCidrError.CIDR_MODE,
          "cidr-allocator-type is "
              + config.type().text()
              + ": the cloud assigns the CIDRs, so there is nothing to plan");
    }

    private NodeCidrConfig read(ConfigProblems problems) {
      ConfigKeys others = SettingsReader.keysOfEngines(surroundings.providers());
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

    /** The objects whose CIDRs the mode assigns. */
    private static ManifestDump<ClusterNode> existing(Mode mode, String place, InputStream in) {
      if (mode == Mode.KUBERNETES) {
        return ManifestDump.nodes(place, in);
      }
      ManifestDump<NodeResource> dump = ManifestDump.ciliumNodes(place, in);
      return new ManifestDump<>(
          dump.objects().stream()
              .map(node -> CiliumNodeCidrs.view(node, Optional.empty()))
              .toList(),
          dump.refused());
    }

    /** The usage of ranges in a file of metrics. */
    private static UsageScrape scrape(Path file) {
      try {
        if (Files.size(file) > METRICS_MOST) {
          throw new FileTooLarge(METRICS_MOST);
        }
        UsageScrape scrape = UsageScrape.parse(Files.readString(file));
        if (scrape.used().isEmpty()) {
          throw refused(file + " has no sample of " + UsageScrape.USAGE, null);
        }
        return scrape;
      } catch (CharacterCodingException e) {
        throw refused(file + " is not UTF-8 text", e);
      } catch (IOException e) {
        throw refused(file + " cannot be read: " + FileErrorText.of(e), e);
      }
    }

    private static IpamException refused(String detail, @Nullable IOException cause) {
      String problem = "--metrics: " + detail;
      return cause == null
          ? new IpamException(CoreError.USAGE_REFUSED, problem)
          : new IpamException(CoreError.USAGE_REFUSED, problem, cause);
    }
  }
}
