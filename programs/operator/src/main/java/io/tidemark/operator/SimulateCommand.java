package io.tidemark.operator;

import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.operator.page.PageEndpoints;
import io.tidemark.operator.page.Recording;
import io.tidemark.operator.report.SimulationText;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.ExitCode;
import io.tidemark.program.Version;
import io.tidemark.program.console.Console;
import io.tidemark.program.endpoint.Endpoints;
import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.SimulationReport;
import io.tidemark.simulation.SimulationReportJson;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.simulation.scenario.ScenarioYaml;
import io.tidemark.time.SystemTime;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark simulate}: a whole cluster in virtual time. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "tidemark simulate [OPTIONS]",
    description = {
      "Runs a whole cluster in virtual time, with agents, pods, an API server, a cloud and the"
          + " faults of a scenario, and prints a report. The same scenario and seed give the same"
          + " report, except for wall time."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:The run ended without a violation.",
      "1:The run found a violation; the report lists it.",
      "2:The command line or the scenario is invalid."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark simulate",
      "  tidemark simulate --nodes=1000 --pods-per-node=8",
      "  tidemark simulate --scenario=examples/simulate/growth-and-release.yaml",
      "  tidemark simulate --random --seed=58 --trace",
      "  tidemark simulate --serve",
      "  tidemark simulate --output=json"
    })
final class SimulateCommand implements Callable<Integer> {
  private static final int NODES_MOST = 100_000;
  private static final int PODS_MOST = 10_000;
  private static final int DEFAULT_PORT = 9963;
  private static final int LARGEST_PORT = 65_535;

  private static final HttpResponse RUNNING =
      HttpResponse.of(503, "text/plain", "the simulation has not ended yet\n");

  private final Surroundings surroundings;
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--scenario",
      paramLabel = "FILE",
      description = "The scenario (default: a quiet region and 100 nodes that grow).")
  private @Nullable Path scenario;

  @Option(
      names = "--random",
      description = "Generate the whole cluster and its faults from the seed.")
  private boolean random;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Number of nodes, distributed to the groups as in the scenario.")
  private @Nullable Integer nodes;

  @Option(
      names = "--pods-per-node",
      paramLabel = "K",
      description = "Number of pods that start on each node at its beginning.")
  private @Nullable Integer podsPerNode;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description =
          "Seed of everything that the scenario leaves open (default: the scenario's; 0 with"
              + " --random).")
  private @Nullable Long seed;

  @Option(names = "--trace", description = "Print every event to standard error, one per line.")
  private boolean trace;

  @Option(
      names = "--serve",
      arity = "0..1",
      fallbackValue = "" + DEFAULT_PORT,
      paramLabel = "PORT",
      description =
          "Afterwards serve a page with the states of the run on this port of localhost, 0 for a"
              + " free port (without a value: ${FALLBACK-VALUE}), until it is stopped.")
  private @Nullable Integer serve;

  @Mixin private final CommonOptions common = new CommonOptions();

  SimulateCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.console = surroundings.console();
  }

  @Override
  public Integer call() throws InterruptedException {
    // The simulated operators meet trouble on purpose: what they warn of is no news.
    common.startLogging(console, CommonOptions.LogLevel.ERROR);
    Scenario wanted = random ? drawn() : adjusted(chosen());
    ClusterSimulation simulation = new ClusterSimulation(wanted);
    SimulationReport report;
    if (serve == null) {
      report = run(simulation, wanted);
      print(wanted, report);
    } else {
      int port = CommonOptions.bounded(spec, "--serve", serve, 0, LARGEST_PORT);
      report = served(simulation, wanted, port);
    }
    return (report.violations().isEmpty() ? ExitCode.DONE : ExitCode.FAILURE).number();
  }

  /** Takes the port before the run, which may be long, and shows the states after it. */
  private SimulationReport served(ClusterSimulation simulation, Scenario wanted, int port)
      throws InterruptedException {
    AtomicReference<Function<HttpRequest, HttpResponse>> states =
        new AtomicReference<>(request -> RUNNING);
    try (Endpoints endpoints =
        Endpoints.start(
            InetAddress.getLoopbackAddress(),
            port,
            PageEndpoints.of(request -> Objects.requireNonNull(states.get()).apply(request)))) {
      Recording recording = new Recording(SimulationText.title(wanted));
      SimulationReport report = run(simulation.recording(recording::add), wanted);
      states.set(recording::respond);
      print(wanted, report);
      console.note(
          "tidemark: the states of the run are at http://localhost:" + endpoints.port() + "/");
      surroundings.stop().await();
      return report;
    }
  }

  private void print(Scenario wanted, SimulationReport report) {
    console.print(
        common.json()
            ? SimulationReportJson.print(report) + "\n"
            : SimulationText.print(wanted, report));
  }

  private SimulationReport run(ClusterSimulation simulation, Scenario wanted) {
    if (trace) {
      return simulation.traced(console::note).run(SystemTime.instance());
    }
    try (SimulationProgress progress = SimulationProgress.on(console, wanted)) {
      return simulation.reporting(progress).run(SystemTime.instance());
    }
  }

  private Scenario chosen() {
    return scenario == null ? ScenarioYaml.defaultScenario() : ScenarioYaml.load(scenario);
  }

  private Scenario drawn() {
    if (scenario != null || podsPerNode != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--random draws everything from the seed; leave out "
              + (scenario != null ? "--scenario" : "--pods-per-node"));
    }
    long from = seed == null ? 0 : seed;
    return nodes == null
        ? ScenarioGenerator.scenario(from)
        : ScenarioGenerator.scenario(
            from, CommonOptions.bounded(spec, "--nodes", nodes, 1, NODES_MOST));
  }

  private Scenario adjusted(Scenario read) {
    Scenario adjusted = read;
    if (nodes != null) {
      adjusted = adjusted.withNodes(CommonOptions.bounded(spec, "--nodes", nodes, 1, NODES_MOST));
    }
    if (podsPerNode != null) {
      adjusted =
          adjusted.withPodsPerNode(
              CommonOptions.bounded(spec, "--pods-per-node", podsPerNode, 0, PODS_MOST));
    }
    return seed == null ? adjusted : adjusted.withSeed(seed);
  }
}
