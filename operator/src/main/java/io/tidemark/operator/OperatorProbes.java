package io.tidemark.operator;

import io.tidemark.engine.Tidemark;
import io.tidemark.node.NodeReport;
import io.tidemark.operator.report.ExplainedNodes;
import io.tidemark.operator.report.StatusJson;
import io.tidemark.operator.report.StatusSummary;
import io.tidemark.program.endpoint.Probes;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;

/**
 * What an operator says of itself over HTTP, be it at work or standing by.
 *
 * @param provider the cloud
 */
record OperatorProbes(String provider, Tidemark engine) implements Probes {
  private static final Duration LONGEST_STATUS = Duration.ofSeconds(30);

  @Override
  public List<String> unhealthy() {
    return engine.unhealthy().stream().toList();
  }

  @Override
  public List<String> unready() {
    return engine.unready();
  }

  @Override
  public void status(OutputStream out) throws IOException {
    List<NodeReport> nodes = engine.reports();
    StatusJson.write(
        out,
        StatusSummary.of(provider, unhealthy(), unready(), engine.leading(), nodes),
        new ExplainedNodes(nodes, engine::explain, SystemTime.instance(), LONGEST_STATUS),
        engine.problems());
  }
}
