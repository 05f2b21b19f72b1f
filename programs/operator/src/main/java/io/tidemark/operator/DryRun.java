package io.tidemark.operator;

import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.ReportJson;
import io.tidemark.operator.report.ReportText;
import io.tidemark.operator.report.RunReport;
import io.tidemark.operator.view.SystemView;
import io.tidemark.program.ExitCode;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;

/** {@code tidemark run --dry-run}: what would be done next for each node. */
final class DryRun {
  private final Surroundings surroundings;
  private final boolean json;

  DryRun(Surroundings surroundings, boolean json) {
    this.surroundings = surroundings;
    this.json = json;
  }

  /** Reads everything, prints the plans. For the main thread. */
  ExitCode run(SystemView view, NodeOptions options)
      throws InterruptedException, ExecutionException, IOException {
    return ReadOnlyStart.ask(
        view.system(),
        () -> plans(view),
        (plans, left) -> tell(view.report().ofHome(options.place(), view.kind()), plans),
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

  private ExitCode tell(RunReport report, Map<String, String> plans) {
    surroundings
        .console()
        .print(json ? ReportJson.print(report, plans) : ReportText.print(report, plans));
    return report.needsAttention() ? ExitCode.BLOCKED : ExitCode.DONE;
  }
}
