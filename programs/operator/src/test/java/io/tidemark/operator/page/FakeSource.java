package io.tidemark.operator.page;

import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.NodeRow.Column;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Nodes that the test makes and changes, and how often they were read. */
final class FakeSource implements PageSource {
  final TreeMap<String, Integer> used = new TreeMap<>();
  String facts = "{\"at\":1}";
  int nodesRead;
  int listsRead;

  FakeSource with(int nodes) {
    for (int i = 0; i < nodes; i++) {
      used.put("n" + i, 0);
    }
    return this;
  }

  @Override
  public String facts() {
    return facts;
  }

  @Override
  public List<NodeRow> nodes() {
    listsRead++;
    return used.keySet().stream().map(this::row).toList();
  }

  @Override
  public Optional<NodeRow> node(String name) {
    nodesRead++;
    return used.containsKey(name) ? Optional.of(row(name)) : Optional.empty();
  }

  private NodeRow row(String name) {
    return new NodeRow(
        name,
        List.of(Column.of("used", used.getOrDefault(name, 0))),
        List.of(),
        "ok",
        true,
        0,
        Optional.empty());
  }
}
