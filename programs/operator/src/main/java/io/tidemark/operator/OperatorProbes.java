package io.tidemark.operator;

import io.tidemark.operator.report.ExplainedNodes;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.StatusJson;
import io.tidemark.operator.view.SystemView;
import io.tidemark.program.endpoint.Probes;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;

/** The operator's state over HTTP, be it at work or standing by. */
record OperatorProbes(SystemView view) implements Probes {
  private static final Duration LONGEST_STATUS = Duration.ofSeconds(30);

  @Override
  public List<String> unhealthy() {
    return view.system().unhealthy().stream().toList();
  }

  @Override
  public List<String> unready() {
    return view.system().unready();
  }

  @Override
  public void status(OutputStream out) throws IOException {
    List<NodeRow> nodes = view.nodes();
    StatusJson.write(
        out,
        view.summary(nodes),
        new ExplainedNodes(nodes, view::explain, SystemTime.instance(), LONGEST_STATUS),
        view.system().problems(),
        view.cloud());
  }
}
