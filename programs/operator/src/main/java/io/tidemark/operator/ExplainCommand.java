package io.tidemark.operator;

import io.tidemark.operator.report.NodeExplanation;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.ReportJson;
import io.tidemark.operator.report.ReportText;
import io.tidemark.operator.report.UnknownNodeError;
import io.tidemark.operator.view.SystemView;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.ExitCode;
import io.tidemark.program.Version;
import io.tidemark.resource.ResourceProblem;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark explain}: why a node has the addresses it has. */
@Command(
    name = "explain",
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "tidemark explain [OPTIONS] [--nodes=DIR|FILE] NODE",
    description = {
      "Explains the addresses of a node: its numbers, the next step, what blocks that step, and"
          + " the remedy. Reads node resources and the cloud and changes neither; an operator may"
          + " run at the same time."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:The node was explained, whatever its state.",
      "1:An unexpected failure.",
      "2:The command line or the configuration is invalid, or there is no such node.",
      "3:The node's manifest was refused.",
      "4:Not read within --timeout."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark explain --provider=mock --nodes=examples/nodes worker-a",
      "  tidemark explain --provider=mock --nodes=examples/nodes worker-a -o json",
      "  tidemark explain --provider=aws --nodes=nodes worker-a --config=settings.yaml"
    })
final class ExplainCommand extends SettingsCommand {

  @Mixin private final NodeOptions options = new NodeOptions();

  @Parameters(index = "0", paramLabel = "NODE", description = "Name of the node.")
  private String node = "";

  ExplainCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  public Integer call() throws Exception {
    common.startLogging(surroundings.console(), CommonOptions.LogLevel.WARN);
    Settings settings = settings(options.settings(surroundings));
    try (SystemView view = settings.readOnly(options, surroundings)) {
      return ReadOnlyStart.ask(
              view.system(),
              () -> view.explain(node),
              (explanation, left) -> explanation.map(this::told).orElseGet(() -> unknown(view)),
              options.timeout(),
              surroundings)
          .number();
    }
  }

  private ExitCode told(NodeExplanation explanation) {
    surroundings
        .console()
        .print(common.json() ? ReportJson.print(explanation) : explanation.text());
    return ExitCode.DONE;
  }

  private ExitCode unknown(SystemView view) {
    List<ResourceProblem> problems = view.system().problemsOf(node);
    if (!problems.isEmpty()) {
      surroundings.console().note(ReportText.refused(problems).stripTrailing());
      return ExitCode.BLOCKED;
    }
    List<String> names = view.nodes().stream().map(NodeRow::name).toList();
    throw UnknownNodeError.of(node, names, options.place());
  }
}
