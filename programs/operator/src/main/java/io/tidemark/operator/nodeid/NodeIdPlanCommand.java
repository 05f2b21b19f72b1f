package io.tidemark.operator.nodeid;

import io.tidemark.config.ConfigEnvironment;
import io.tidemark.config.ConfigKeys;
import io.tidemark.config.ConfigLayer;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigYaml;
import io.tidemark.manifests.ManifestDump;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.config.ContivConfYaml;
import io.tidemark.nodeid.config.NodeIdConfig;
import io.tidemark.nodeid.plan.ExistingNode;
import io.tidemark.nodeid.plan.NodeIdCheck;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.ExitCode;
import io.tidemark.program.SettingArguments;
import io.tidemark.program.Version;
import io.tidemark.program.console.Console;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark node-id plan}: what follows from settings, offline. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "tidemark node-id plan [OPTIONS] [--node-id=N | --count=M | --nodes=PLACE]",
    description = {
      "Prints how many nodes the ranges serve, which range limits them, and ranges that overlap."
          + " With --node-id prints every subnet and address of that node, with --count a table of"
          + " the first nodes, with --nodes what does not fit in nodes that exist. Reads settings and"
          + " that dump only: no cluster, no cloud."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:The plan was printed.",
      "1:An unexpected failure.",
      "2:The command line or the configuration is invalid, or no node can have this id; all"
          + " problems are listed.",
      "3:The plan was printed, but ranges overlap, not all nodes get an id, or nodes of --nodes do"
          + " not fit or were refused."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark node-id plan --config=contiv.conf",
      "  tidemark node-id plan --config=contiv.conf --node-id=5",
      "  tidemark node-id plan --node-id-pod-subnet-cidr=10.1.0.0/16 --count=3 -o json",
      "  kubectl get nodes -o yaml |",
      "      tidemark node-id plan --config=contiv.conf --nodes=-"
    })
final class NodeIdPlanCommand implements Callable<Integer> {
  private static final int COUNT_MAX = 100_000;

  private final Console console;
  private final InputStream in;
  private final Map<String, String> environment;
  private final ConfigKeys keys;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Settings as YAML, one key per line, or a contiv.conf. Command line and environment take"
              + " precedence.")
  private @Nullable Path file;

  @Option(names = "--node-id", paramLabel = "N", description = "Print the plan of this node.")
  private @Nullable String nodeId;

  @Option(
      names = "--count",
      paramLabel = "M",
      description = "Print a table of the nodes with ids from 1 to this, up to 100000.")
  private @Nullable Integer count;

  @Option(
      names = "--nodes",
      paramLabel = "DIR|FILE|-",
      description =
          "Check nodes that exist, as kubectl get nodes -o yaml or -o json prints them: the YAML"
              + " and JSON files of a directory, one file, or the standard input.")
  private @Nullable String nodes;

  @Mixin private final CommonOptions common = new CommonOptions();

  NodeIdPlanCommand(
      Console console, InputStream in, Map<String, String> environment, ConfigKeys keys) {
    this.console = console;
    this.in = in;
    this.environment = environment;
    this.keys = keys;
  }

  @Override
  public Integer call() {
    common.startLogging(console, CommonOptions.LogLevel.WARN);
    if (Stream.of(nodeId, count, nodes).filter(Objects::nonNull).count() > 1) {
      throw misused("--node-id, --count and --nodes exclude each other; give one of them");
    }
    Optional<NodeId> id = Optional.ofNullable(nodeId).map(this::parsed);
    if (count != null) {
      CommonOptions.bounded(spec, "--count", count, 1, COUNT_MAX);
    }
    List<String> notes = new ArrayList<>();
    NodeIdConfig config = settings(notes);
    notes.addAll(config.notes());
    NodeIdSubnets subnets = new NodeIdSubnets(config.ranges());
    NodeIdPlan plan = NodeIdPlan.of(subnets, id, count, notes);
    if (nodes != null) {
      ManifestDump<ExistingNode> dump = ManifestDump.addressedNodes(nodes, in, ExistingNode::new);
      plan = plan.checking(NodeIdCheck.of(subnets, dump.objects()), dump.refused());
    }
    console.print(common.json() ? NodeIdPlanJson.print(plan) : NodeIdPlanText.print(plan));
    return (plan.isWanting() ? ExitCode.BLOCKED : ExitCode.DONE).number();
  }

  private NodeIdConfig settings(List<String> notes) {
    ConfigProblems problems = new ConfigProblems();
    List<ConfigLayer> layers = new ArrayList<>();
    layers.add(ConfigLayer.own(SettingArguments.given(spec.commandLine().getParseResult())));
    layers.addAll(ConfigEnvironment.read(environment, keys.known(), problems));
    Optional.ofNullable(file)
        .flatMap(path -> ConfigYaml.text(path, problems))
        .ifPresent(text -> layers.add(ofFile(text, notes, problems)));
    Optional<NodeIdConfig> config = NodeIdConfig.read(keys.resolve(layers, problems), problems);
    problems.throwIfAny();
    return config.orElseThrow();
  }

  private ConfigLayer ofFile(String text, List<String> notes, ConfigProblems problems) {
    String where = String.valueOf(file);
    Optional<ContivConfYaml.Content> ofContiv = ContivConfYaml.read(where, text, problems);
    ofContiv.ifPresent(content -> notes.addAll(content.notes()));
    return ConfigLayer.own(
        ofContiv
            .map(ContivConfYaml.Content::settings)
            .orElseGet(() -> ConfigYaml.read(where, text, problems)));
  }

  private NodeId parsed(String text) {
    try {
      return NodeId.parse(text);
    } catch (IllegalArgumentException e) {
      throw misused("--node-id: " + e.getMessage());
    }
  }

  private ParameterException misused(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }
}
