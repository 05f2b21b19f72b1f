package io.tidemark.operator.kubectl;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.leader.LeaderAnswer;
import io.tidemark.kubernetes.leader.ListedNode;
import io.tidemark.kubernetes.leader.OperatorLease;
import io.tidemark.operator.report.Explained;
import io.tidemark.operator.report.MaxPods;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.NodeRow.Problem;
import io.tidemark.operator.report.StatusSummary;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Whether the operator of a cluster does its work, by what can be asked from outside. */
final class OperatorFindings {
  private static final String OPERATOR = "operator";
  private static final String NODES = "nodes";
  private static final int NAMES_MAX = 5;

  private OperatorFindings() {}

  /** All that was found, in reading order; lists the nodes where no operator answered. */
  static List<Finding> findings(ClusterConnection cluster, LeaderAnswer answer) {
    List<Finding> findings = new ArrayList<>();
    answer.leases().forEach(lease -> findings.add(lease(lease)));
    if (answer.leader().isPresent()) {
      LeaderAnswer.Leader leader = answer.leader().get();
      StatusDocumentJson status = StatusDocumentJson.of(leader.status());
      findings.add(Finding.of(OPERATOR, "leader " + leader.pod(), Verdict.OK, "", ""));
      addHealth(findings, status.summary());
      addNodes(findings, status);
      findings.addAll(MaxPods.findings(status.podRooms()));
      findings.add(cloud(status.summary().provider()));
    } else {
      findings.add(
          Finding.of(
              OPERATOR,
              "leader",
              Verdict.FAILED,
              answer.reason(),
              "Start the operator, grant the rights of deploy/kubectl, or name the operator with"
                  + " --namespace and --selector."));
      findings.add(listed(cluster, answer));
    }
    return findings;
  }

  private static Finding lease(OperatorLease lease) {
    String subject = "lease " + lease.place();
    if (lease.host().isEmpty()) {
      return Finding.of(
          OPERATOR,
          subject,
          Verdict.WARNING,
          "nobody holds it",
          "Start an operator of that lease.");
    }
    String detail =
        "held on "
            + lease.host()
            + ", renewed "
            + lease.secondsSinceRenewal()
            + " s ago by the clock here";
    return lease.isHeld()
        ? Finding.of(OPERATOR, subject, Verdict.OK, detail, "")
        : Finding.of(
            OPERATOR,
            subject,
            Verdict.WARNING,
            detail + ", for " + lease.duration().toSeconds() + " s",
            "See whether the operator runs, and whether the clocks agree.");
  }

  private static void addHealth(List<Finding> findings, StatusSummary summary) {
    findings.add(reasons("health", summary.unhealthy(), "Read the log of the operator."));
    findings.add(
        reasons("readiness", summary.unready(), "Remove the cause; the operator tries again."));
  }

  private static Finding reasons(String subject, List<String> reasons, String remedy) {
    return reasons.isEmpty()
        ? Finding.of(OPERATOR, subject, Verdict.OK, "", "")
        : Finding.of(OPERATOR, subject, Verdict.FAILED, String.join("; ", reasons), remedy);
  }

  /** One finding per reason, with the first few nodes by name. */
  private static void addNodes(List<Finding> findings, StatusDocumentJson status) {
    Map<String, List<NodeRow>> blocked =
        status.nodes().stream()
            .map(Explained::row)
            .filter(row -> row.problem().isPresent())
            .collect(Collectors.groupingBy(NodeRow::reason, TreeMap::new, Collectors.toList()));
    int waiting = blocked.values().stream().mapToInt(List::size).sum();
    int all = status.summary().nodes();
    findings.add(
        Finding.of(
            NODES, all + " nodes", Verdict.OK, all - waiting + " of them without a problem", ""));
    blocked.forEach((label, rows) -> findings.add(blocked(rows)));
    for (ResourceProblem each : status.refused()) {
      findings.add(
          Finding.of(
              NODES,
              each.where() + (each.path().isEmpty() ? "" : ' ' + each.path()),
              Verdict.FAILED,
              each.problem(),
              each.remedy()));
    }
  }

  private static Finding blocked(List<NodeRow> rows) {
    Problem first = rows.get(0).problem().orElseThrow();
    String names =
        rows.stream().limit(NAMES_MAX).map(NodeRow::name).collect(Collectors.joining(", "));
    return Finding.of(
        NODES,
        first.code().label() + ' ' + first.code().name(),
        first.stops() ? Verdict.FAILED : Verdict.WARNING,
        (rows.size() == 1 ? "1 node: " : rows.size() + " nodes: ")
            + names
            + (rows.size() > NAMES_MAX ? ", ..." : "")
            + ": "
            + first.detail(),
        first.code().remedy());
  }

  private static Finding cloud(String provider) {
    return Finding.of(
        "cloud",
        "permissions and quotas of " + provider,
        Verdict.UNDECIDABLE,
        "they are those of the operator's Pod",
        "Where nodes wait for the cloud, run 'tidemark doctor' with the credentials of the Pod.");
  }

  private static Finding listed(ClusterConnection cluster, LeaderAnswer answer) {
    try {
      ListedNodes listed = ListedNodes.read(cluster, answer.leases());
      long empty =
          listed.nodes().stream()
              .filter(node -> node.available() == 0 && node.podCidrs().isEmpty())
              .filter(node -> node.id().isEmpty())
              .count();
      return Finding.of(
          NODES,
          listed.nodes().size() + " nodes",
          empty == 0 ? Verdict.OK : Verdict.WARNING,
          empty + " of them have no addresses, by their objects",
          empty == 0 ? "" : "Let an operator answer; it has the reasons.");
    } catch (ListedNode.Unreadable e) {
      return Finding.of(
          NODES, "objects", Verdict.UNDECIDABLE, e.reason(), "Grant the rights of deploy/kubectl.");
    }
  }
}
