package io.tidemark.operator.kubectl;

import io.tidemark.error.IpamException;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.leader.LeaderAnswer;
import io.tidemark.operator.report.Explained;
import io.tidemark.operator.report.NodeExplanation;
import io.tidemark.operator.report.ReportJson;
import io.tidemark.operator.report.UnknownNodeError;
import io.tidemark.program.ExitCode;
import io.tidemark.program.Version;
import io.tidemark.program.console.Console;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code kubectl tidemark explain}: why a node has what it has, as the leader sees it. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "kubectl tidemark explain [OPTIONS] NODE",
    description = {
      "Explains a node as the operator that leads sees it: its numbers, the next step, what blocks"
          + " that step, and the remedy. If none answers, prints what the object of the node"
          + " shows. Standard error names the source. Changes nothing."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:The node was explained, whatever its state.",
      "1:An unexpected failure.",
      "2:The command line or the kubeconfig is invalid, there is no such node, or neither an operator"
          + " nor the objects can be read.",
      "4:The leader's status has no explanation of the node."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  kubectl tidemark explain worker-a",
      "  kubectl tidemark explain worker-a --context=west --output=json"
    })
final class KubectlExplainCommand extends LeaderCommand {
  @Parameters(index = "0", paramLabel = "NODE", description = "Name of the node.")
  private String node = "";

  KubectlExplainCommand(Console console) {
    super(console);
  }

  @Override
  ExitCode print(ClusterConnection cluster, LeaderAnswer answer) {
    StatusDocumentJson document = document(cluster, answer);
    Explained found = document.node(node).orElseThrow(() -> unknown(document));
    if (found.explanation().isEmpty()) {
      console.note("tidemark: the leader had no time for node " + node + "; ask again");
      return ExitCode.TIMEOUT;
    }
    NodeExplanation explanation = found.explanation().get();
    console.print(
        json()
            ? StatusDocumentJson.json(ReportJson.print(explanation), answer)
            : explanation.text());
    return ExitCode.DONE;
  }

  private IpamException unknown(StatusDocumentJson document) {
    List<String> names = document.nodes().stream().map(each -> each.row().name()).toList();
    return UnknownNodeError.of(node, names, "the cluster");
  }
}
