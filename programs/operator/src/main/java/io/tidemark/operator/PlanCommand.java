package io.tidemark.operator;

import io.tidemark.config.ConfigProblems;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.node.MaintenancePlanner;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.operator.report.ClusterPlan;
import io.tidemark.operator.report.ClusterPlanJson;
import io.tidemark.operator.report.ClusterPlanText;
import io.tidemark.program.ClusterSettings;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.ExitCode;
import io.tidemark.program.Version;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PlannedInstance;
import io.tidemark.spi.ProviderFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code tidemark plan}: what a cluster of a size needs, without a cloud. */
@Command(
    name = "plan",
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "tidemark plan --nodes=N --pods-per-node=P --instance-type=T [OPTIONS]",
    description = {
      "Prints the addresses, interfaces, /28 blocks, subnets, requests and time that a cluster of"
          + " that size needs on EC2 or Azure, by the decisions of run: all pods start at once, and"
          + " nothing fails. Of requests those that change something are counted. Sends nothing."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:The plan was printed; every pod gets an address.",
      "1:An unexpected failure.",
      "2:The command line or the configuration is invalid; all problems are listed.",
      "3:The plan was printed, but nodes of this type cannot serve so many pods."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark plan --nodes=1000 --pods-per-node=20 --instance-type=m5.large",
      "  tidemark plan --nodes=1000 --pods-per-node=110 --instance-type=m5.large \\",
      "      --enable-prefix-delegation --output=json",
      "  tidemark plan --nodes=500 --pods-per-node=60 --instance-type=Standard_D4s_v5"
    })
final class PlanCommand extends SettingsCommand {
  private static final int MOST = 100_000;

  private static final String FLEXIBLE =
      "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/m";

  @Option(names = "--nodes", paramLabel = "N", required = true, description = "Number of nodes.")
  private String nodes = "";

  @Option(
      names = "--pods-per-node",
      paramLabel = "P",
      required = true,
      description = "Pods of each node that need an address.")
  private String pods = "";

  @Option(
      names = "--instance-type",
      paramLabel = "T",
      required = true,
      description = "Type of the nodes; it chooses the provider, unless settings do.")
  private String type = "";

  @Option(
      names = "--pre-allocate",
      paramLabel = "N",
      defaultValue = "0",
      description = "Spare addresses of each node (default: 8, or what a small machine holds).")
  private String preAllocate = "";

  @Option(
      names = "--min-allocate",
      paramLabel = "N",
      defaultValue = "0",
      description = "Addresses that each node has at least (default: ${DEFAULT-VALUE}).")
  private String minAllocate = "";

  @Option(
      names = "--max-above-watermark",
      paramLabel = "N",
      defaultValue = "0",
      description = "Addresses beyond the spare ones in each request (default: ${DEFAULT-VALUE}).")
  private String maxAbove = "";

  @Option(
      names = "--first-interface-index",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "EC2: device index of the first interface for pods (default: ${DEFAULT-VALUE}).")
  private String firstIndex = "";

  @Option(
      names = "--flexible",
      description =
          "Azure: nodes are single machines or of a Flexible scale set, not a Uniform one.")
  private boolean flexible;

  private final List<String> problems = new ArrayList<>();

  PlanCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  public Integer call() {
    common.startLogging(surroundings.console(), CommonOptions.LogLevel.WARN);
    int count = number("--nodes", nodes, 1);
    int each = number("--pods-per-node", pods, 1);
    IpamSpec ipam =
        IpamSpec.of(
            number("--pre-allocate", preAllocate, 0),
            number("--min-allocate", minAllocate, 0),
            0,
            number("--max-above-watermark", maxAbove, 0));
    NodeResource node = node(number("--first-interface-index", firstIndex, 0));
    if (!problems.isEmpty()) {
      throw new ParameterException(spec().commandLine(), String.join("; ", problems));
    }
    Settings settings = settings(Optional.of(new ByType(type)));
    ProviderFactory provider = settings.provider().orElseThrow(() -> refused(settings));
    EngineConfig engine = EngineConfig.read(settings.source(), new ConfigProblems());
    Function<Boolean, PlannedInstance> fill =
        blocks ->
            provider
                .plan(
                    settings.source(),
                    new NodeSettings("plan", blocks, false, engine.isReferenceCompatible()),
                    node,
                    MaintenancePlanner.passes(ipam, each))
                .orElseThrow(() -> refused(settings));
    PlannedInstance filled = fill.apply(engine.maintenance().prefixDelegation());
    boolean fits = filled.addresses() >= each;
    int withBlocks = Math.min(each, (fits ? filled : fill.apply(true)).addresses());
    ClusterPlan plan =
        new ClusterPlan(provider.name(), type, count, each, filled, withBlocks, engine);
    surroundings
        .console()
        .print(common.json() ? ClusterPlanJson.print(plan) : ClusterPlanText.print(plan));
    return (fits ? ExitCode.DONE : ExitCode.BLOCKED).number();
  }

  private NodeResource node(int firstInterface) {
    EniSpec none = EniSpec.EMPTY;
    NodeResource node =
        NodeResource.named("plan")
            .withEniSpec(
                new EniSpec(
                    type,
                    OptionalInt.of(firstInterface),
                    none.securityGroups(),
                    none.securityGroupTags(),
                    none.subnetIds(),
                    none.subnetTags(),
                    "",
                    "",
                    "",
                    none.excludeInterfaceTags(),
                    none.deleteOnTermination(),
                    none.usePrimaryAddress(),
                    none.disablePrefixDelegation()));
    return flexible ? node.withInstanceId(FLEXIBLE) : node;
  }

  private int number(String option, String text, int least) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= MOST) {
        return number;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    problems.add(option + " is " + text + "; expected a number from " + least + " to " + MOST);
    return least;
  }

  private static IpamException refused(Settings settings) {
    return new IpamException(
        CoreError.USAGE_REFUSED,
        settings.choice().key()
            + "="
            + settings.choice().name()
            + " ("
            + settings.choice().origin()
            + ") has no plan of addresses; set --provider to aws or azure");
  }

  /** The provider that an instance type names, unless another place names one. */
  private record ByType(String type) implements ClusterSettings {
    @Override
    public String where() {
      return "--instance-type";
    }

    @Override
    public Map<String, String> read() {
      return type.startsWith("Standard_") ? Map.of("provider", "azure") : Map.of("provider", "aws");
    }
  }
}
