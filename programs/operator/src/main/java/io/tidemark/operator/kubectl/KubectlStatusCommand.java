package io.tidemark.operator.kubectl;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.leader.LeaderAnswer;
import io.tidemark.operator.report.Explained;
import io.tidemark.program.ExitCode;
import io.tidemark.program.Version;
import io.tidemark.program.console.Console;
import picocli.CommandLine.Command;

/** {@code kubectl tidemark status}: the nodes, as the leader sees them. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "kubectl tidemark status [OPTIONS]",
    description = {
      "Prints the status of all nodes as the operator that leads sees them; if none answers, as the"
          + " objects of the nodes show them. Standard error names the source. Changes nothing."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:No node needs human action, as far as is known.",
      "1:An unexpected failure.",
      "2:The command line or the kubeconfig is invalid, or neither an operator nor the objects can be"
          + " read.",
      "3:Nodes need human action, or objects were refused."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  kubectl tidemark status",
      "  kubectl tidemark status --context=west --output=json",
      "  kubectl tidemark status -l app.kubernetes.io/name=my-release"
    })
final class KubectlStatusCommand extends LeaderCommand {
  KubectlStatusCommand(Console console) {
    super(console);
  }

  @Override
  ExitCode print(ClusterConnection cluster, LeaderAnswer answer) {
    StatusDocumentJson document = document(cluster, answer);
    console.print(json() ? document.json(answer) : document.text());
    boolean waits =
        document.nodes().stream().map(Explained::row).anyMatch(node -> node.problem().isPresent());
    return waits || !document.refused().isEmpty() ? ExitCode.BLOCKED : ExitCode.DONE;
  }
}
