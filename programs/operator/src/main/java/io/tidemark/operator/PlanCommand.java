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
import org.jspecify.annotations.Nullable;
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
          + " nothing fails. Only requests that change something are counted. Spare addresses"
          + " are those of pre-allocate-mode=static. Sends nothing."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:The plan was printed; every pod gets an address.",
      "1:An unexpected failure.",
      "2:The command line or the configuration is invalid; all problems are listed.",
      "3:The plan was printed, but nodes of this type cannot serve so many pods, or one network"
          + " cannot hold them."
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
      names = "--first-interface-index",
      paramLabel = "N",
      description = "EC2: device index of the first interface for pods (default: 0).")
  private @Nullable String firstIndex;

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
    IpamSpec ipam = IpamSpec.of(number("--pre-allocate", preAllocate, 0), 0, 0, 0);
    int first = firstIndex == null ? 0 : number("--first-interface-index", firstIndex, 0);
    Settings settings = settings(Optional.of(new ByType(type)));
    ProviderFactory provider = settings.provider().orElseThrow(() -> refused(settings));
    refuse(flexible, "--flexible", "azure", provider);
    refuse(firstIndex != null, "--first-interface-index=" + firstIndex, "aws", provider);
    if (!problems.isEmpty()) {
      throw new ParameterException(spec().commandLine(), String.join("; ", problems));
    }
    EngineConfig engine = EngineConfig.read(settings.source(), new ConfigProblems());
    NodeResource node =
        NodeResource.named("plan")
            .withEniSpec(EniSpec.of(type, OptionalInt.of(first), "", "", ""))
            .withInstanceId(flexible ? FLEXIBLE : "");
    boolean blocks = engine.maintenance().prefixDelegation();
    PlannedInstance filled =
        provider
            .plan(
                settings.source(),
                new NodeSettings("plan", blocks, false, engine.isReferenceCompatible()),
                node,
                MaintenancePlanner.passes(ipam, each))
            .orElseThrow(() -> refused(settings));
    ClusterPlan plan = new ClusterPlan(provider.name(), type, count, each, filled, engine);
    surroundings
        .console()
        .print(common.json() ? ClusterPlanJson.print(plan) : ClusterPlanText.print(plan));
    return (plan.fits() ? ExitCode.DONE : ExitCode.BLOCKED).number();
  }

  private void refuse(boolean given, String option, String of, ProviderFactory chosen) {
    if (given && !chosen.name().equals(of)) {
      problems.add(option + " is for " + of + " only; remove it, or set --provider=" + of);
    }
  }

  private int number(String option, String text, int least) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= MOST) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
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
      boolean azure = type.regionMatches(true, 0, "Standard_", 0, "Standard_".length());
      return Map.of("provider", azure ? "azure" : "aws");
    }
  }
}
