package io.tidemark.operator.kubectl;

import io.tidemark.program.CommandGroup;
import io.tidemark.program.Version;
import io.tidemark.program.console.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code tidemark kubectl}, which {@code kubectl tidemark} runs. */
@Command(
    name = "kubectl",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Asks the operator that leads in the cluster of the current context, through the API server."
          + " If none answers, reads the objects of the nodes. 'kubectl tidemark' is the same."
          + " Changes nothing."
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n")
public final class KubectlCommand extends CommandGroup {
  private KubectlCommand() {}

  /** The command with its sub-commands. */
  public static CommandLine line(Console console) {
    return new CommandLine(new KubectlCommand())
        .addSubcommand(new KubectlStatusCommand(console))
        .addSubcommand(new KubectlExplainCommand(console))
        .addSubcommand(new KubectlDoctorCommand(console));
  }
}
