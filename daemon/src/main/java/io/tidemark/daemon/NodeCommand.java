package io.tidemark.daemon;

import io.tidemark.program.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program of a node without a command. */
@Command(
    name = "tidemark",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "The program of a node.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n")
final class NodeCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "which command? One of " + String.join(", ", spec.subcommands().keySet()));
  }
}
