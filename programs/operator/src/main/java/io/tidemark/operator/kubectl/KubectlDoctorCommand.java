package io.tidemark.operator.kubectl;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.leader.LeaderAnswer;
import io.tidemark.operator.report.FindingsText;
import io.tidemark.operator.report.ReportJson;
import io.tidemark.program.ExitCode;
import io.tidemark.program.Version;
import io.tidemark.program.console.Console;
import io.tidemark.spi.Finding;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code kubectl tidemark doctor}: whether the operator of a cluster does its work. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "kubectl tidemark doctor [OPTIONS]",
    description = {
      "Checks the operator of a cluster: whether its lease is held, the leader answers, is healthy"
          + " and ready, and which nodes need human action. Changes nothing. The permissions and"
          + " quotas at the cloud are those of the operator's Pod: 'tidemark doctor' checks them with"
          + " the credentials that it runs with."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Nothing is missing and nothing failed; warnings and undecided checks are reported.",
      "1:An unexpected failure.",
      "2:The command line or the kubeconfig is invalid.",
      "3:Something is missing or failed; the report gives the remedy."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  kubectl tidemark doctor",
      "  kubectl tidemark doctor --context=west --output=json"
    })
final class KubectlDoctorCommand extends LeaderCommand {
  KubectlDoctorCommand(Console console) {
    super(console);
  }

  @Override
  ExitCode print(ClusterConnection cluster, LeaderAnswer answer) {
    List<Finding> findings = OperatorFindings.findings(cluster, answer);
    String name =
        answer
            .leader()
            .map(leader -> StatusDocumentJson.of(leader.status()).summary().provider())
            .orElse("unknown");
    console.print(
        json()
            ? StatusDocumentJson.json(ReportJson.print(name, findings), answer)
            : FindingsText.print(name, findings));
    boolean wrong = findings.stream().anyMatch(each -> each.verdict().isWrong());
    return wrong ? ExitCode.BLOCKED : ExitCode.DONE;
  }
}
