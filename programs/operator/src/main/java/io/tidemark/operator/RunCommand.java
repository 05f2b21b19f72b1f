package io.tidemark.operator;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.run.StopReport;
import io.tidemark.cluster.run.SystemRun;
import io.tidemark.error.CoreError;
import io.tidemark.operator.page.PageEndpoints;
import io.tidemark.operator.page.PageStreams;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.ReportJson;
import io.tidemark.operator.report.ReportText;
import io.tidemark.operator.report.RunReport;
import io.tidemark.operator.view.SystemView;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.ExitCode;
import io.tidemark.program.ListenAddress;
import io.tidemark.program.Version;
import io.tidemark.program.console.Console;
import io.tidemark.program.endpoint.Endpoints;
import io.tidemark.program.endpoint.Metering;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark run}: keeps nodes supplied with addresses, or gives them pod CIDRs or ids. */
@Command(
    name = "run",
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "tidemark run [OPTIONS] [--nodes=DIR|FILE]",
    description = {
      "Keeps the pools of CiliumNodes between their watermarks, and writes status and pool back to"
          + " their source: a cluster, or files. With --ipam=kubernetes it gives Nodes pod CIDRs, with"
          + " --ipam=node-id ids that determine their subnets. In a cluster, one operator holds the"
          + " lease and acts; the others are on standby. Runs until it is stopped; with --once until"
          + " nothing is left to do."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:All possible work is done; without --once: it was stopped.",
      "1:An unexpected failure, a change with an unknown result at the end, --once was stopped, or"
          + " another operator took over.",
      "2:The command line or the configuration is invalid; nothing was done.",
      "3:With --once: done, but nodes need human action, or objects were refused.",
      "4:With --once: not finished within --timeout."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark run --provider=mock --nodes=examples/nodes --once",
      "  tidemark run --provider=mock --nodes=examples/nodes --dry-run",
      "  tidemark run --ipam=kubernetes --allocate-node-cidrs \\",
      "    --cluster-cidr=10.244.0.0/16 --nodes=examples/cluster-nodes --once",
      "  tidemark run --ipam=node-id --nodes=examples/cluster-nodes --once",
      "  tidemark run --kubeconfig=FILE --config-map=kube-system/cilium-config"
    })
final class RunCommand extends SettingsCommand {
  private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);

  /** After the requests in flight: the report, and the connections. */
  private static final Duration CLOSING = Duration.ofSeconds(1);

  private static final int DEFAULT_PORT = 9963;
  private static final int LARGEST_PORT = 65_535;

  private final Console console;

  @Mixin private final NodeOptions options = new NodeOptions();

  @Option(names = "--once", description = "Exit when nothing is left to do.")
  private boolean once;

  @Option(names = "--dry-run", description = "Print the next step of each node; change nothing.")
  private boolean dryRun;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "" + DEFAULT_PORT,
      description =
          "Serve a page at /, /metrics, /healthz, /readyz and /status on this port; 0 for a free"
              + " port (default: ${DEFAULT-VALUE}). Off with --once.")
  private int port = DEFAULT_PORT;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      defaultValue = "localhost",
      description =
          "Serve them on this address alone (default: ${DEFAULT-VALUE}); 0.0.0.0 for all, as a Pod"
              + " needs. Everyone who reaches it can read the status.")
  private String listen = "localhost";

  @Option(
      names = "--stop-within",
      paramLabel = "DURATION",
      defaultValue = "10s",
      description =
          "When stopped, wait this long for requests in flight (default: ${DEFAULT-VALUE}).")
  private Duration stopWithin = Duration.ofSeconds(10);

  RunCommand(Surroundings surroundings) {
    super(surroundings);
    this.console = surroundings.console();
  }

  @Override
  public Integer call() throws Exception {
    boolean quiet = console.isTerminal() || once || dryRun;
    common.startLogging(console, quiet ? CommonOptions.LogLevel.WARN : CommonOptions.LogLevel.INFO);
    CommonOptions.bounded(spec(), "--port", port, 0, LARGEST_PORT);
    InetAddress address = ListenAddress.of(spec(), listen);
    Settings settings = settings(options.settings(surroundings));
    ExitCode end;
    if (dryRun) {
      try (SystemView view = settings.readOnly(options, surroundings)) {
        end = plan(view);
      }
    } else {
      end = once ? runOnce(settings) : runOn(settings, address);
    }
    return end.number();
  }

  /** Prints the next step of each node. */
  private ExitCode plan(SystemView view)
      throws InterruptedException, ExecutionException, IOException {
    return ReadOnlyStart.ask(
        view.system(),
        () -> plans(view),
        (plans, left) -> {
          RunReport report = view.report().ofHome(options.place(), view.kind());
          console.print(
              common.json() ? ReportJson.print(report, plans) : ReportText.print(report, plans));
          return report.needsAttention() ? ExitCode.BLOCKED : ExitCode.DONE;
        },
        options.timeout(),
        surroundings);
  }

  private static CompletionStage<Map<String, String>> plans(SystemView view) {
    Map<String, String> plans = new ConcurrentSkipListMap<>();
    CompletableFuture<?>[] all =
        view.nodes().stream()
            .map(NodeRow::name)
            .map(
                node ->
                    view.explain(node)
                        .thenAccept(
                            explained ->
                                explained.ifPresent(known -> plans.put(node, known.plan())))
                        .toCompletableFuture())
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(all).thenApply(done -> plans);
  }

  private ExitCode runOnce(Settings settings) throws InterruptedException, ExecutionException {
    try (SystemView view = settings.view(options, surroundings, Metering.off())) {
      return work(view, new RunLoop(view, console, once), Optional.of(options.timeout()));
    }
  }

  private ExitCode runOn(Settings settings, InetAddress address)
      throws InterruptedException, ExecutionException {
    try (Metering metering = settings.metering();
        SystemView view = settings.view(options, surroundings, metering)) {
      metering.watches(view.system()::watchAges);
      PageStreams page = PageStreams.of(view, settings.clusterName());
      try (Endpoints endpoints =
          Endpoints.start(
              address, port, metering, new OperatorProbes(view), PageEndpoints.of(page::respond))) {
        RunLoop loop = new RunLoop(view, console, once);
        view.system().start();
        page.start(view.system().timer());
        LOG.info(
            "Running. {}={} nodes={} endpoints=http://{}:{}",
            settings.choice().key(),
            view.name(),
            options.place(),
            listen,
            endpoints.port());
        return work(view, loop, Optional.empty());
      }
    }
  }

  private ExitCode work(SystemView view, RunLoop loop, Optional<Duration> limit)
      throws InterruptedException, ExecutionException {
    SystemRun<?, ?> system = view.system();
    system.start();
    switch (awaitTurn(system, limit)) {
      case STOPPED -> {
        system.stop(stopWithin);
        return once ? ExitCode.FAILURE : ExitCode.DONE;
      }
      case TIMEOUT -> {
        console.note(
            "tidemark: not started within "
                + options.timeout().toSeconds()
                + " s: "
                + waitsFor(system));
        return ExitCode.TIMEOUT;
      }
      case LOST -> {
        lost(system);
        return ExitCode.FAILURE;
      }
      case OURS -> {
        return untilEnd(view, loop, limit);
      }
    }
    throw new IllegalStateException("no such turn");
  }

  private static String waitsFor(SystemRun<?, ?> system) {
    Optional<String> rival =
        system.leading() == Backend.Leading.STANDBY ? system.holder() : Optional.empty();
    return rival
        .map(holder -> "another operator holds the lease: " + holder)
        .orElseGet(() -> String.join("; ", system.unready()));
  }

  private void lost(SystemRun<?, ?> system) {
    console.note(
        "tidemark: the lease is lost: "
            + system.lost().toCompletableFuture().getNow("see the log")
            + ". Start this operator again as a standby.");
  }

  private enum Turn {
    OURS,
    STOPPED,
    TIMEOUT,
    LOST
  }

  private Turn awaitTurn(SystemRun<?, ?> system, Optional<Duration> limit)
      throws InterruptedException, ExecutionException {
    CompletableFuture<Turn> end = new CompletableFuture<>();
    system.turn().thenRun(() -> ours(end));
    surroundings.stop().requested().thenRun(() -> end.complete(Turn.STOPPED));
    system.lost().thenRun(() -> end.complete(Turn.LOST));
    limit.ifPresent(bound -> system.timer().after(bound, () -> end.complete(Turn.TIMEOUT)));
    return end.get();
  }

  /** Nothing was changed before; from now on there can be changes to end in order. */
  private void ours(CompletableFuture<Turn> end) {
    surroundings.stop().needs(stopWithin.plus(CLOSING));
    end.complete(Turn.OURS);
  }

  private ExitCode untilEnd(SystemView view, RunLoop loop, Optional<Duration> timeout)
      throws InterruptedException, ExecutionException {
    RunLoop.End end = loop.run(timeout, surroundings.stop());
    List<String> unready = view.system().unready();
    RunReport now = view.report();
    RunReport report = end == RunLoop.End.SETTLED ? now.ofHome(options.place(), view.kind()) : now;
    StopReport stopped = view.system().stop(stopWithin);
    console.endLive();
    console.print(common.json() ? ReportJson.print(report) : ReportText.print(report));
    say(stopped);
    if (end == RunLoop.End.TIMEOUT) {
      console.note(
          "tidemark: not finished within "
              + options.timeout().toSeconds()
              + " s"
              + (unready.isEmpty() ? "" : ": " + String.join("; ", unready)));
    } else if (end == RunLoop.End.LOST) {
      lost(view.system());
    } else if (once && end == RunLoop.End.STOPPED) {
      console.note("tidemark: stopped before all work was done");
    }
    return exitCode(end, report, stopped);
  }

  private void say(StopReport stopped) {
    for (String change : stopped.unknown()) {
      console.note("tidemark: " + incomplete("the result of this change is unknown: " + change));
    }
    if (stopped.unknown().isEmpty() && !stopped.timely()) {
      console.note(
          "tidemark: "
              + incomplete("requests were still in flight after " + stopWithin.toSeconds() + " s"));
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
