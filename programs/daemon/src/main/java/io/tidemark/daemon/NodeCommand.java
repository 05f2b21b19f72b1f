package io.tidemark.daemon;

import io.tidemark.program.CommandGroup;
import io.tidemark.program.Version;
import picocli.CommandLine.Command;

/** The program of a node without a command. */
@Command(
    name = "tidemark",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "The program of a node.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n")
final class NodeCommand extends CommandGroup {}
