package io.tidemark.operator;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.NodeChange;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.spi.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Removes what {@code taint-exhausted-nodes} left on the nodes of a cluster. Stateless. */
final class TaintRemoval {
  private TaintRemoval() {}

  /** Removes it, node by node, and reports each; blocks, while {@code inTime}. */
  static List<Finding> findings(ClusterNodes all, BooleanSupplier inTime) {
    Optional<List<ClusterNode>> tainted = all.listTainted(inTime);
    if (tainted.isEmpty()) {
      return List.of(unfinished("all nodes"));
    }
    if (tainted.get().isEmpty()) {
      return List.of(Finding.of("taint", "all nodes", Finding.Verdict.OK, "none has it", ""));
    }
    List<Finding> findings = new ArrayList<>();
    for (ClusterNode node : tainted.get()) {
      findings.add(
          inTime.getAsBoolean() ? untainted(node, all.untaint(node)) : unfinished(node.name()));
    }
    return findings;
  }

  private static Finding untainted(ClusterNode seen, NodeChange end) {
    boolean said = seen.scheduling().unavailableReason().isPresent();
    String text =
        end.match(
            any -> said ? "removed, and the condition is True" : "removed",
            () -> "the node is gone",
            detail -> detail,
            detail -> detail,
            detail -> detail,
            detail -> detail);
    boolean done = end instanceof NodeChange.Accepted || end instanceof NodeChange.Gone;
    String remedy =
        end instanceof NodeChange.Refused
            ? "Correct the cause: the command needs the right to patch nodes and nodes/status."
            : "Run it again.";
    return Finding.of(
        "taint",
        seen.name(),
        done ? Finding.Verdict.OK : Finding.Verdict.FAILED,
        text,
        done ? "" : remedy);
  }

  private static Finding unfinished(String subject) {
    return Finding.of(
        "taint",
        subject,
        Finding.Verdict.UNFINISHED,
        "not reached before the timeout",
        "Run it again, or give more time with --timeout.");
  }
}
