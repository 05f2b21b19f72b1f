package io.tidemark.operator;

import io.tidemark.cluster.run.SystemRun;
import io.tidemark.operator.report.Explained;
import io.tidemark.operator.report.ExplainedNodes;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.StatusJson;
import io.tidemark.operator.report.StatusSummary;
import io.tidemark.operator.report.StatusText;
import io.tidemark.operator.view.SystemView;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark status}: how all nodes stand. */
@Command(
    name = "status",
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "tidemark status [OPTIONS] [--nodes=DIR|FILE]",
    description = {
      "Prints the status of all nodes: pool, addresses in use, needed and in excess, release"
          + " handshakes in progress, and for each waiting node the reason and the remedy. Reads"
          + " node resources and the cloud and changes neither; an operator may run at the same"
          + " time."
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
      "  tidemark status --provider=mock --nodes=examples/nodes",
      "  tidemark status --provider=mock --nodes=examples/nodes --output=json",
      "  tidemark status --provider=aws --nodes=nodes --config=settings.yaml"
    })
final class StatusCommand extends SettingsCommand {

  @Mixin private final NodeOptions options = new NodeOptions();

  StatusCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  public Integer call() throws Exception {
    common.startLogging(surroundings.console(), CommonOptions.LogLevel.WARN);
    Settings settings = settings(options.settings(surroundings));
    try (SystemView view = settings.readOnly(options, surroundings)) {
      return ReadOnlyStart.ask(
              view.system(),
              () -> nodes(view),
              (nodes, left) -> tell(view, nodes, left),
              options.timeout(),
              surroundings)
          .number();
    }
  }

  /** The state of all nodes after each has taken in what the start read. */
  static CompletionStage<List<NodeRow>> nodes(SystemView view) {
    CompletableFuture<?>[] all =
        view.nodes().stream()
            .map(node -> view.explain(node.name()).toCompletableFuture())
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(all).thenApply(done -> view.nodes());
  }

  private ExitCode tell(SystemView view, List<NodeRow> rows, Duration left) throws IOException {
    SystemRun<?, ?> system = view.system();
    StatusSummary summary = view.summary(rows);
    ExplainedNodes nodes = new ExplainedNodes(rows, view::explain, SystemTime.instance(), left);
    if (common.json()) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      StatusJson.write(out, summary, nodes, system.problems(), view.cloud());
      surroundings.console().print(out.toString(StandardCharsets.UTF_8));
    } else {
      List<Explained> all = new ArrayList<>();
      nodes.forEachRemaining(all::add);
      surroundings.console().print(StatusText.print(summary, all, system.problems()));
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
    boolean waits = rows.stream().anyMatch(node -> node.problem().isPresent());
    return waits || !system.problems().isEmpty() ? ExitCode.BLOCKED : ExitCode.DONE;
  }
}
