package io.tidemark.daemon;

import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.config.Setting;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.backend.KubernetesBackend;
import io.tidemark.kubernetes.backend.KubernetesBackend.WhenAbsent;
import io.tidemark.manifests.DirectoryBackend;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.ExitCode;
import io.tidemark.program.ListenAddress;
import io.tidemark.program.NodesOptions;
import io.tidemark.program.SettingArguments;
import io.tidemark.program.SettingPlaces;
import io.tidemark.program.Version;
import io.tidemark.program.console.Console;
import io.tidemark.time.StopSignal;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark agent}: gives the pods of one node their addresses. */
@Command(
    name = "agent",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "tidemark agent [OPTIONS] --node=NAME [--nodes=DIR|FILE]",
    description = {
      "Gives the pods of one node their addresses: answers the CNI plugin tidemark-ipam on a Unix"
          + " socket. The addresses are those of spec.ipam.podCIDRs of the node's CiliumNode, which"
          + " is in a cluster or a file; in a cluster it is created if it does not exist. With"
          + " --ipam=crd, eni or azure they are those of its spec.ipam.pool: then the agent follows"
          + " the object and writes its status. With --ipam=multi-pool they are those of its"
          + " spec.ipam.pools: then it writes there what it needs. With --ipam=node-id they are"
          + " those of the subnet that follows from the id of its Kubernetes Node. With"
          + " --ipam=delegated-plugin it has no addresses and refuses every ADD. It can run beside"
          + " an operator. Runs until it is stopped."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:It was stopped.",
      "1:An unexpected failure, or the node has no addresses within agent-start-wait.",
      "2:The command line or the configuration is invalid; nothing was done."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark agent --node=worker-a --nodes=examples/agent/nodes \\",
      "    --socket=/tmp/tidemark/agent.sock --state=/tmp/tidemark/state",
      "  tidemark agent --node=$NODE_NAME"
    })
final class AgentCommand implements Callable<Integer> {
  private static final int DEFAULT_PORT = 9967;
  private static final int LARGEST_PORT = 65_535;

  /** In the logs and records of an API server. */
  private static final String NAME = "tidemark-agent";

  private static final Pattern NODE = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

  private final Console console;
  private final StopSignal stop;
  private final Map<String, String> environment;

  @Option(
      names = "--node",
      paramLabel = "NAME",
      required = true,
      description = "The name of the node that the agent runs on.")
  private String node = "";

  @Mixin private final NodesOptions nodes = new NodesOptions(NAME);

  @Option(
      names = "--socket",
      paramLabel = "PATH",
      description = "The same as --agent-socket, which takes an absolute path; this one any.")
  private @Nullable Path socket;

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "The same as --agent-state, which takes an absolute path; this one any.")
  private @Nullable Path state;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "" + DEFAULT_PORT,
      description =
          "Serve /metrics, /healthz, /readyz and /status on this port; 0 for a free port (default:"
              + " ${DEFAULT-VALUE}).")
  private int port = DEFAULT_PORT;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      defaultValue = "localhost",
      description =
          "Serve them on this address alone (default: ${DEFAULT-VALUE}); 0.0.0.0 for every address."
              + " Every client that reaches it may read the status of the node.")
  private String listen = "localhost";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Settings as YAML, one key per line. Command line and environment (TIDEMARK_CNI_GATEWAY"
              + " for cni-gateway) take precedence.")
  private @Nullable Path file;

  @Option(
      names = "--config-dir",
      paramLabel = "DIR",
      description =
          "Settings as one file per key, such as the mounted ConfigMap of a cluster's agents."
              + " Unknown keys are ignored. The file of --config takes precedence.")
  private @Nullable Path directory;

  @Mixin private final CommonOptions common = new CommonOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  AgentCommand(Console console, StopSignal stop, Map<String, String> environment) {
    this.console = console;
    this.stop = stop;
    this.environment = Map.copyOf(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    common.startLogging(
        console, console.isTerminal() ? CommonOptions.LogLevel.WARN : CommonOptions.LogLevel.INFO);
    InetSocketAddress http = http();
    AgentConfig config = AgentConfig.read(places());
    Optional<NodeAgent> started =
        NodeAgent.start(
            new AgentNode(node, source(config), config.nodeId().map(this::claims), nodes.place()),
            config,
            http,
            stop,
            new SecureRandom());
    if (started.isPresent()) {
      try (NodeAgent agent = started.get()) {
        console.note(
            "tidemark: serving node "
                + node
                + " from "
                + agent.origin()
                + " on "
                + config.socket()
                + "; metrics and health on port "
                + agent.httpPort());
        stop.needs(Main.LONGEST_END_OF_SERVICE);
        stop.await();
      }
    }
    return ExitCode.DONE.number();
  }

  private InetSocketAddress http() {
    if (port < 0 || port > LARGEST_PORT) {
      throw new ParameterException(
          spec.commandLine(), "--port is " + port + "; expected 0 to " + LARGEST_PORT);
    }
    return new InetSocketAddress(ListenAddress.of(spec, listen), port);
  }

  private NodeBackend.Opener source(AgentConfig config) {
    if (!NODE.matcher(node).matches()) {
      throw new IpamException(
          CoreError.USAGE_REFUSED, "--node is '" + node + "'; expected the name of a node");
    }
    return nodes.choose(
        environment,
        manifests ->
            config.writes() ? DirectoryBackend.ofNode(manifests, node) : unwritten(manifests),
        cluster ->
            KubernetesBackend.ofNode(
                node,
                whenAbsent(config.mode()),
                cluster.access(console, ClusterAccess.USUAL.requestTimeout())));
  }

  private ClaimBackend.Opener claims(NodeIds ids) {
    return nodes.choose(
        environment,
        DirectoryBackend::withClaimsOfNode,
        cluster ->
            KubernetesBackend.askedForClaims(
                ids.namespace(), cluster.access(console, ClusterAccess.USUAL.requestTimeout())));
  }

  /** An object whose pool somebody else fills must exist from the beginning: another creates it. */
  private static WhenAbsent whenAbsent(AgentKey.Mode mode) {
    return switch (mode) {
      case CLUSTER_POOL -> WhenAbsent.CREATE;
      case KUBERNETES -> WhenAbsent.CREATE_WITH_POD_CIDRS;
      case MULTI_POOL -> WhenAbsent.CREATE;
      case CRD, ENI, AZURE, NODE_ID, DELEGATED_PLUGIN -> WhenAbsent.WAIT;
    };
  }

  /** Manifests that are read only, so that an operator can work on them. */
  private static NodeBackend.Opener unwritten(Path manifests) {
    return it -> DirectoryBackend.at(manifests).open(it.asReadOnly());
  }

  private SettingPlaces places() throws IpamException {
    List<Setting> given =
        new ArrayList<>(SettingArguments.given(spec.commandLine().getParseResult()));
    add(given, AgentKey.SOCKET.key(), socket);
    add(given, AgentKey.STATE.key(), state);
    return new SettingPlaces(
        given,
        environment,
        Optional.ofNullable(file),
        Optional.ofNullable(directory),
        nodes.settings(environment, console));
  }

  private static void add(List<Setting> given, String key, @Nullable Path path) {
    if (path != null) {
      given.add(new Setting(key, path.toAbsolutePath().toString(), SettingArguments.COMMAND_LINE));
    }
  }
}
