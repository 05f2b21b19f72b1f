package io.tidemark.operator;

import io.tidemark.node.Explanation;
import io.tidemark.operator.report.ReportJson;
import io.tidemark.operator.report.ReportText;
import io.tidemark.operator.report.RunReport;
import io.tidemark.operator.wiring.Engine;
import io.tidemark.operator.wiring.EngineSetup;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
  ExitCode run(EngineSetup setup, NodeOptions options)
      throws InterruptedException, ExecutionException {
    try (Engine engine = Engine.readOnly(setup)) {
      Optional<ExitCode> early = ReadOnlyStart.await(engine, options.timeout(), surroundings);
      if (early.isPresent()) {
        return early.get();
      }
      Map<String, String> plans = new TreeMap<>();
      for (String node : engine.names()) {
        Optional<Explanation> explained = engine.explain(node).toCompletableFuture().get();
        explained.ifPresent(explanation -> plans.put(node, explanation.plan()));
      }
      RunReport report = RunReport.of(engine).ofHome(options.place());
      surroundings
          .console()
          .print(json ? ReportJson.print(report, plans) : ReportText.print(report, plans));
      return report.needsAttention() ? ExitCode.BLOCKED : ExitCode.DONE;
    }
  }
}
