package io.tidemark.operator.report;

import io.tidemark.resource.ResourceProblem;
import java.util.List;
import java.util.SortedMap;

/**
 * The result of a run.
 *
 * @param nodes the state of each node, by name
 * @param calls requests sent, by operation
 * @param refused problems of files that cannot be used
 */
public record RunReport(
    List<NodeRow> nodes, SortedMap<String, Long> calls, List<ResourceProblem> refused) {
  /**
   * The same; no node at all is a problem too, because the caller expects one.
   *
   * @param kind of the objects that are expected
   */
  public RunReport ofHome(String where, String kind) {
    if (!nodes.isEmpty() || !refused.isEmpty()) {
      return this;
    }
    ResourceProblem empty =
        new ResourceProblem(
            where,
            "",
            "holds no " + kind,
            "Put manifests there (*.yaml, *.yml, *.json), or name another place with --nodes.");
    return new RunReport(nodes, calls, List.of(empty));
  }

  /** Whether anything needs human action. */
  public boolean needsAttention() {
    return !refused.isEmpty() || nodes.stream().anyMatch(node -> node.problem().isPresent());
  }
}
