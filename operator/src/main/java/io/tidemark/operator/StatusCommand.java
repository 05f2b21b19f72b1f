package io.tidemark.operator;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.engine.Tidemark;
import io.tidemark.node.NodeReport;
import io.tidemark.operator.report.Explained;
import io.tidemark.operator.report.ExplainedNodes;
import io.tidemark.operator.report.StatusJson;
import io.tidemark.operator.report.StatusSummary;
import io.tidemark.operator.report.StatusText;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.ExitCode;
import io.tidemark.program.Version;
import io.tidemark.time.SystemTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark status}: how all nodes stand. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "tidemark status [OPTIONS] [--nodes=DIR|FILE]",
    description = {
      "Prints the status of all nodes: pool, addresses in use, needed and in excess, release"
          + " handshakes in progress, and for each waiting node the reason and the remedy. Reads"
          + " node resources and the cloud and changes neither; an operator may run at the same"
          + " time. The default provider is mock."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:No node needs human action.",
      "1:An unexpected failure.",
      "2:The command line or the configuration is invalid.",
      "3:Nodes need human action, or objects were refused.",
      "4:Not read within --timeout."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark status --nodes=examples/nodes",
      "  tidemark status --nodes=examples/nodes --output=json",
      "  tidemark status --provider=aws --nodes=nodes --config=settings.yaml"
    })
final class StatusCommand implements Callable<Integer> {
  /** Needs no account, so that examples run anywhere. */
  private static final String DEFAULT_PROVIDER = "mock";

  private final Surroundings surroundings;

  @Mixin private final CommonOptions common = new CommonOptions();
  @Mixin private final ConfigOptions config = new ConfigOptions();
  @Mixin private final NodeOptions options = new NodeOptions();

  StatusCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws Exception {
    common.startLogging(surroundings.console(), CommonOptions.LogLevel.WARN);
    Settings settings =
        config.settings(
            surroundings, options.settings(surroundings), Optional.of(DEFAULT_PROVIDER));
    NodeBackend.Opener backend = options.backend(surroundings, settings.kubernetes());
    try (Tidemark engine = settings.engine(backend).readOnly().build()) {
      return ReadOnlyStart.ask(
              engine,
              () -> reports(engine),
              (reports, left) -> tell(settings.provider().name(), engine, reports, left),
              options.timeout(),
              surroundings)
          .number();
    }
  }

  /** The state of all nodes after each has taken in what the start read. */
  private static CompletionStage<List<NodeReport>> reports(Tidemark engine) {
    CompletableFuture<?>[] all =
        engine.reports().stream()
            .map(node -> engine.explain(node.name()).toCompletableFuture())
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(all).thenApply(done -> engine.reports());
  }

  private ExitCode tell(String provider, Tidemark engine, List<NodeReport> reports, Duration left)
      throws IOException {
    StatusSummary summary =
        StatusSummary.of(
            provider,
            engine.unhealthy().stream().toList(),
            engine.unready(),
            engine.leading(),
            reports);
    ExplainedNodes nodes =
        new ExplainedNodes(reports, engine::explain, SystemTime.instance(), left);
    if (common.json()) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      StatusJson.write(out, summary, nodes, engine.problems());
      surroundings.console().print(out.toString(StandardCharsets.UTF_8));
    } else {
      List<Explained> all = new ArrayList<>();
      nodes.forEachRemaining(all::add);
      surroundings.console().print(StatusText.print(summary, all, engine.problems()));
    }
    if (nodes.isOutOfTime()) {
      surroundings
          .console()
          .note(
              "tidemark: not all nodes were explained within "
                  + options.timeout().toSeconds()
                  + " s");
      return ExitCode.TIMEOUT;
    }
    boolean waits = reports.stream().anyMatch(node -> node.blocked().isPresent());
    return waits || !engine.problems().isEmpty() ? ExitCode.BLOCKED : ExitCode.DONE;
  }
}
