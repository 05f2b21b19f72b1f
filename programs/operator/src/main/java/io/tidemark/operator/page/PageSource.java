package io.tidemark.operator.page;

import io.tidemark.operator.report.NodeRow;
import java.util.List;
import java.util.Optional;

/** The content of the page. Thread-safe; no method blocks. */
interface PageSource {
  /** All but the nodes, as {@link io.tidemark.operator.report.PageJson#facts} has it. */
  String facts();

  List<NodeRow> nodes();

  /** One node; empty for one that is gone. */
  Optional<NodeRow> node(String name);
}
