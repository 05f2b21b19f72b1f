package io.tidemark.operator.nodeid;

import io.tidemark.config.ConfigKeys;
import io.tidemark.nodeid.config.NodeIdKey;
import io.tidemark.program.CommandGroup;
import io.tidemark.program.SettingArguments;
import io.tidemark.program.Version;
import io.tidemark.program.console.Console;
import java.io.InputStream;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code tidemark node-id}: subnets that follow from ids of nodes. */
@Command(
    name = "node-id",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description =
        "Computes the subnets and addresses that follow from the ids of nodes, and checks nodes that exist.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n")
public final class NodeIdCommand extends CommandGroup {
  private NodeIdCommand() {}

  /**
   * The command with its sub-commands.
   *
   * @param in the standard input
   * @param keys every key that a file of settings may have
   */
  public static CommandLine line(
      Console console, InputStream in, Map<String, String> environment, ConfigKeys keys) {
    CommandLine plan = new CommandLine(new NodeIdPlanCommand(console, in, environment, keys));
    SettingArguments.add(
        plan.getCommandSpec(),
        "%nSettings of node ids, also keys of --config:%n",
        20,
        NodeIdKey.all());
    return new CommandLine(new NodeIdCommand()).addSubcommand(plan);
  }
}
