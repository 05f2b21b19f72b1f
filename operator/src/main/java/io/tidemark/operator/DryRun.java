package io.tidemark.operator;

import io.tidemark.engine.Tidemark;
import io.tidemark.node.NodeReport;
import io.tidemark.operator.report.ReportJson;
import io.tidemark.operator.report.ReportText;
import io.tidemark.operator.report.RunReport;
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

  /** Reads nodes and cloud, prints the plans. For the main thread. */
  ExitCode run(Tidemark engine, NodeOptions options)
      throws InterruptedException, ExecutionException, IOException {
    return ReadOnlyStart.ask(
        engine,
        () -> plans(engine),
        (plans, left) -> tell(RunReport.of(engine).ofHome(options.place()), plans),
        options.timeout(),
        surroundings);
  }

  /** What would be done next, by node. */
  private static CompletionStage<Map<String, String>> plans(Tidemark engine) {
    Map<String, String> plans = new ConcurrentSkipListMap<>();
    CompletableFuture<?>[] all =
        engine.reports().stream()
            .map(NodeReport::name)
            .map(
                node ->
                    engine
                        .explain(node)
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
