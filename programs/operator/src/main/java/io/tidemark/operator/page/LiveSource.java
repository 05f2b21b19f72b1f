package io.tidemark.operator.page;

import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.PageJson;
import io.tidemark.operator.view.SystemView;
import java.util.List;
import java.util.Optional;

/**
 * A system that runs, as the page shows it.
 *
 * @param cluster its name; empty when nothing names it
 */
record LiveSource(SystemView view, Optional<String> cluster) implements PageSource {
  @Override
  public String facts() {
    return PageJson.facts(
        cluster,
        view.summary(List.of()),
        view.kind(),
        view.lacking(),
        view.cloud(),
        view.system().problems(),
        Optional.empty());
  }

  @Override
  public List<NodeRow> nodes() {
    return view.nodes();
  }

  @Override
  public Optional<NodeRow> node(String name) {
    return view.node(name);
  }
}
