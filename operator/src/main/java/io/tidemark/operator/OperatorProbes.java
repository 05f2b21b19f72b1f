package io.tidemark.operator;

import io.tidemark.node.NodeReport;
import io.tidemark.operator.endpoint.Probes;
import io.tidemark.operator.report.StatusJson;
import io.tidemark.operator.report.StatusSummary;
import io.tidemark.operator.wiring.Engine;
import io.tidemark.operator.wiring.Explained;
import io.tidemark.operator.wiring.Standby;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * What an operator says of itself over HTTP, be it at work or standing by.
 *
 * @param provider the cloud
 */
record OperatorProbes(String provider, Standby operator) implements Probes {
  private static final Duration LONGEST_STATUS = Duration.ofSeconds(30);

  @Override
  public List<String> unhealthy() {
    return operator.unhealthy();
  }

  @Override
  public List<String> unready() {
    return operator.unready();
  }

  @Override
  public void status(OutputStream out) throws IOException {
    Optional<Engine> engine = operator.working();
    List<NodeReport> nodes = engine.map(Engine::reports).orElseGet(List::of);
    Iterator<Explained> explained =
        engine
            .<Iterator<Explained>>map(it -> it.explained(nodes, LONGEST_STATUS))
            .orElseGet(Collections::emptyIterator);
    StatusJson.write(
        out,
        StatusSummary.of(provider, unhealthy(), unready(), operator.leading(), nodes),
        explained,
        operator.problems());
  }
}
