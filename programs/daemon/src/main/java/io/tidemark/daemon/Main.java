package io.tidemark.daemon;

import io.tidemark.config.ConfigKeys;
import io.tidemark.config.Option;
import io.tidemark.nodeid.config.NodeIdKey;
import io.tidemark.program.CommandGroup;
import io.tidemark.program.ExitCode;
import io.tidemark.program.Failures;
import io.tidemark.program.SettingArguments;
import io.tidemark.program.Version;
import io.tidemark.program.console.Console;
import io.tidemark.provider.aws.AwsInstance;
import io.tidemark.time.ProcessEnd;
import io.tidemark.time.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entrance of the program of a node. */
public final class Main {
  /** Before a node is served, and of commands that serve none. */
  private static final Duration LONGEST_STOP = Duration.ofMillis(1500);

  /** From a node that is served. */
  static final Duration LONGEST_END_OF_SERVICE = Duration.ofSeconds(10);

  /** The program of a node without a command. */
  @Command(
      name = "tidemark",
      mixinStandardHelpOptions = true,
      versionProvider = Version.class,
      description = "The program of a node.",
      synopsisSubcommandLabel = "COMMAND",
      commandListHeading = "%nCommands:%n")
  private static final class NodeCommand extends CommandGroup {}

  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    ProcessEnd end = ProcessEnd.onSignal(LONGEST_STOP, ExitCode.FAILURE.number());
    int code = run(Console.ofProcess(), end.stop(), System.getenv(), args);
    end.exiting(code);
    System.exit(code);
  }

  static int run(
      Console console, StopSignal stop, Map<String, String> environment, String... args) {
    return line(console, stop, environment, args).execute(args);
  }

  static CommandLine line(
      Console console, StopSignal stop, Map<String, String> environment, String... args) {
    CommandLine agent = new CommandLine(new AgentCommand(console, stop, environment));
    SettingArguments.add(
        agent.getCommandSpec(), "%nSettings, also keys of --config:%n", 20, AgentKey.all());
    SettingArguments.add(
        agent.getCommandSpec(), "%nSettings of --ipam=node-id:%n", 21, NodeIdKey.all());
    CommandLine ipamd = new CommandLine(new IpamdCommand(console, stop, environment));
    SettingArguments.add(
        ipamd.getCommandSpec(), "%nSettings, also keys of --config:%n", 20, IpamdKey.all());
    List<Option<?>> ofEc2 = ofEc2(args);
    if (!ofEc2.isEmpty()) {
      SettingArguments.add(ipamd.getCommandSpec(), "%nSettings of EC2:%n", 21, ofEc2);
    }
    CommandLine line = new CommandLine(new NodeCommand());
    line.addSubcommand(agent);
    line.addSubcommand(ipamd);
    CommandLine datastore = new CommandLine(new DatastoreCommand());
    datastore.addSubcommand(new CommandLine(new DatastoreCommand.Inspect(console)));
    line.addSubcommand(datastore);
    ConfigKeys keys =
        ConfigKeys.of(AgentKey.all()).with(NodeIdKey.all()).with(IpamdKey.all()).with(ofEc2);
    Failures failures = new Failures(console, keys);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setOut(console.outWriter());
    line.setErr(console.errWriter());
    line.setParameterExceptionHandler((e, given) -> failures.misused(e));
    line.setExecutionExceptionHandler((e, command, parsed) -> failures.failed(e, parsed));
    return line;
  }

  /** None for an agent, which loads nothing that knows EC2. */
  private static List<Option<?>> ofEc2(String... args) {
    return args.length > 0 && args[0].equals("ipamd") ? AwsInstance.settings() : List.of();
  }
}
