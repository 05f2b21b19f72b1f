package io.tidemark.operator;

import io.tidemark.node.NodeReport;
import io.tidemark.operator.endpoint.Probes;
import io.tidemark.operator.report.StatusJson;
import io.tidemark.operator.report.StatusSummary;
import io.tidemark.operator.wiring.Engine;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;

/**
 * What an engine says of itself over HTTP.
 *
 * @param provider the cloud
 */
record EngineProbes(String provider, Engine engine) implements Probes {
  private static final Duration LONGEST_STATUS = Duration.ofSeconds(30);

  @Override
  public List<String> unhealthy() {
    return engine.unhealthy();
  }

  @Override
  public List<String> unready() {
    return engine.unready();
  }

  @Override
  public void status(OutputStream out) throws IOException {
    List<NodeReport> nodes = engine.reports();
    StatusJson.write(
        out, StatusSummary.of(provider, engine, nodes), engine.explained(nodes, LONGEST_STATUS));
  }
}
