package io.tidemark.operator.view;

import io.tidemark.cluster.run.SystemRun;
import io.tidemark.operator.report.CloudFacts;
import io.tidemark.operator.report.NodeExplanation;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.RunReport;
import io.tidemark.operator.report.StatusSummary;
import io.tidemark.resilience.CallCounts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A system that the program runs, and what the program shows of it. Thread-safe; no method blocks,
 * except that {@link #close} can.
 */
public interface SystemView extends AutoCloseable {
  SystemRun<?, ?> system();

  /** The name of its cloud: the provider, or the mode without one. */
  String name();

  /** The kind of its objects. */
  String kind();

  /** The missing thing of nodes, plural. */
  String lacking();

  List<NodeRow> nodes();

  /** One node; empty for an unknown name. */
  Optional<NodeRow> node(String name);

  /** Why a node has what it has; empty for an unknown name. */
  CompletionStage<Optional<NodeExplanation>> explain(String name);

  CallCounts counts();

  /** The facts of its cloud beside the nodes. */
  default CloudFacts cloud() {
    return CloudFacts.of(counts());
  }

  /**
   * Its state.
   *
   * @param nodes that are counted
   */
  default StatusSummary summary(List<NodeRow> nodes) {
    SystemRun<?, ?> system = system();
    return StatusSummary.of(
        name(),
        system.unhealthy().stream().toList(),
        system.unready(),
        system.leading(),
        system.lease(),
        nodes);
  }

  default RunReport report() {
    return new RunReport(nodes(), counts().calls(), system().problems());
  }

  @Override
  default void close() {
    system().close();
  }
}
