package io.tidemark.operator;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.engine.StopReport;
import io.tidemark.engine.Tidemark;
import io.tidemark.error.CoreError;
import io.tidemark.operator.console.Console;
import io.tidemark.operator.endpoint.Endpoints;
import io.tidemark.operator.endpoint.Metering;
import io.tidemark.operator.report.ReportJson;
import io.tidemark.operator.report.ReportText;
import io.tidemark.operator.report.RunReport;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark run}: keeps the nodes of a directory at their water marks. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "tidemark run [OPTIONS] [--nodes=DIR|FILE]",
    description = {
      "Reads CiliumNodes, keeps their pools between the water marks, and writes status and pool"
          + " back to where they came from: a cluster, or files. Of several operators of a cluster"
          + " one works and the others stand by. Goes on until it is told to end; with --once until"
          + " nothing is left to do."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Everything that could be done is done; without --once: it was told to end.",
      "1:It did not work, at the end something was left unknown, --once was told to end, or"
          + " another operator took over.",
      "2:The command line or the configuration is wrong; nothing was done.",
      "3:With --once: done, but nodes wait for a person, or objects were refused.",
      "4:With --once: not finished within --timeout."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark run --provider=mock --nodes=examples/nodes --once",
      "  tidemark run --provider=mock --nodes=examples/nodes --dry-run",
      "  tidemark run --provider=mock --nodes=nodes.yaml --once --output=json",
      "  tidemark run --provider=mock --nodes=examples/nodes --port=9963",
      "  tidemark run --kubeconfig=FILE --config-map=kube-system/cilium-config"
    })
final class RunCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);
  private static final String LOST =
      "tidemark: another operator leads; start this one again to stand by";
  private static final int DEFAULT_PORT = 9963;
  private static final int LARGEST_PORT = 65_535;

  private final Surroundings surroundings;
  private final Console console;

  @Mixin private final ConfigOptions config = new ConfigOptions();
  @Mixin private final NodeOptions options = new NodeOptions();

  @Option(
      names = "--once",
      description = "End when nothing is left to do; the next step is then somebody else's.")
  private boolean once;

  @Option(
      names = "--dry-run",
      description = "Print what would be done next for each node, and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "" + DEFAULT_PORT,
      description =
          "Answer /metrics, /healthz, /readyz and /status on this port; 0 takes a free one (default:"
              + " ${DEFAULT-VALUE}). Off with --once.")
  private int port = DEFAULT_PORT;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      defaultValue = "localhost",
      description =
          "Answer them on this address of the machine alone (default: ${DEFAULT-VALUE}); 0.0.0.0 for"
              + " every address, as a Pod needs. Whoever reaches it may read how nodes stand.")
  private String listen = "localhost";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--stop-within",
      paramLabel = "DURATION",
      defaultValue = "10s",
      description =
          "At the end, wait so long for what is under way (default: ${DEFAULT-VALUE}); what is"
              + " unknown then is said.")
  private Duration stopWithin = Duration.ofSeconds(10);

  @Mixin private final CommonOptions common = new CommonOptions();

  RunCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.console = surroundings.console();
  }

  @Override
  public Integer call() throws Exception {
    boolean quiet = console.isTerminal() || once || dryRun;
    common.startLogging(console, quiet ? CommonOptions.LogLevel.WARN : CommonOptions.LogLevel.INFO);
    Bounds.checked(spec, "--port", port, 0, LARGEST_PORT);
    InetAddress address = ListenAddress.of(spec, listen);
    Settings settings =
        config.settings(surroundings, options.settings(surroundings), Optional.empty());
    NodeBackend.Opener backend = options.backend(surroundings, settings.kubernetes());
    ExitCode end;
    if (dryRun) {
      try (Tidemark engine = settings.engine(backend).readOnly().build()) {
        end = new DryRun(surroundings, common.json()).run(engine, options);
      }
    } else if (once) {
      try (Tidemark engine = settings.engine(backend).build()) {
        end = work(engine, new RunLoop(engine, console, once), Optional.of(options.timeout()));
      }
    } else {
      end = runOn(settings, backend, address);
    }
    return end.number();
  }

  private ExitCode runOn(Settings settings, NodeBackend.Opener backend, InetAddress address)
      throws InterruptedException, ExecutionException {
    String provider = settings.provider().name();
    try (Metering metering = Metering.of(settings.core().metrics(), provider);
        Tidemark engine =
            settings.engine(backend).metrics(metering.ipam(), metering.cloud()).build();
        Endpoints endpoints =
            Endpoints.start(address, port, metering, new OperatorProbes(provider, engine))) {
      RunLoop loop = new RunLoop(engine, console, once);
      Object unused = engine.start();
      LOG.info(
          "Running. provider={} nodes={} endpoints=http://{}:{}",
          provider,
          options.place(),
          listen,
          endpoints.port());
      return work(engine, loop, Optional.empty());
    }
  }

  /** Starts the engine, waits for its turn, then watches it. */
  private ExitCode work(Tidemark engine, RunLoop loop, Optional<Duration> limit)
      throws InterruptedException, ExecutionException {
    Object unused = engine.start();
    switch (awaitTurn(engine, limit)) {
      case STOPPED -> {
        StopReport unusedReport = engine.stop(stopWithin);
        return once ? ExitCode.FAILURE : ExitCode.DONE;
      }
      case TIMEOUT -> {
        String why =
            engine.leading() == NodeBackend.Leading.LEADER
                ? String.join("; ", engine.unready())
                : "another operator leads";
        console.note("tidemark: not begun within " + options.timeout().toSeconds() + " s: " + why);
        return ExitCode.TIMEOUT;
      }
      case LOST -> {
        console.note(LOST);
        return ExitCode.FAILURE;
      }
      case OURS -> {
        return untilEnd(engine, loop, limit);
      }
    }
    throw new IllegalStateException("no such turn");
  }

  /** How the waiting for the turn ended. */
  private enum Turn {
    OURS,
    STOPPED,
    TIMEOUT,
    LOST
  }

  private Turn awaitTurn(Tidemark engine, Optional<Duration> limit)
      throws InterruptedException, ExecutionException {
    CompletableFuture<Turn> end = new CompletableFuture<>();
    Object unusedTurn = engine.turn().thenRun(() -> end.complete(Turn.OURS));
    Object unusedStop = surroundings.stop().requested().thenRun(() -> end.complete(Turn.STOPPED));
    Object unusedLost = engine.lost().thenRun(() -> end.complete(Turn.LOST));
    limit.ifPresent(bound -> engine.timer().after(bound, () -> end.complete(Turn.TIMEOUT)));
    return end.get();
  }

  private ExitCode untilEnd(Tidemark engine, RunLoop loop, Optional<Duration> timeout)
      throws InterruptedException, ExecutionException {
    RunLoop.End end = loop.run(timeout, surroundings.stop());
    RunReport now = RunReport.of(engine);
    RunReport report = end == RunLoop.End.SETTLED ? now.ofHome(options.place()) : now;
    StopReport stopped = engine.stop(stopWithin);
    console.endLive();
    console.print(common.json() ? ReportJson.print(report) : ReportText.print(report));
    say(stopped);
    if (end == RunLoop.End.TIMEOUT) {
      console.note("tidemark: not finished within " + options.timeout().toSeconds() + " s");
    } else if (end == RunLoop.End.LOST) {
      console.note(LOST);
    } else if (once && end == RunLoop.End.STOPPED) {
      console.note("tidemark: told to end before everything was done");
    }
    return exitCode(end, report, stopped);
  }

  private void say(StopReport stopped) {
    for (String change : stopped.unknown()) {
      console.note("tidemark: " + incomplete("unknown whether this had its effect: " + change));
    }
    if (stopped.unknown().isEmpty() && !stopped.timely()) {
      console.note(
          "tidemark: "
              + incomplete("work was still under way after " + stopWithin.toSeconds() + " s"));
    }
  }

  private static String incomplete(String detail) {
    CoreError code = CoreError.STOP_INCOMPLETE;
    return code.label() + " " + code + ": " + detail + ". " + code.remedy();
  }

  private ExitCode exitCode(RunLoop.End end, RunReport report, StopReport stopped) {
    if (end == RunLoop.End.TIMEOUT) {
      return ExitCode.TIMEOUT;
    }
    if (end == RunLoop.End.LOST || !stopped.isClean() || (once && end == RunLoop.End.STOPPED)) {
      return ExitCode.FAILURE;
    }
    return end == RunLoop.End.SETTLED && report.needsAttention() ? ExitCode.BLOCKED : ExitCode.DONE;
  }
}
