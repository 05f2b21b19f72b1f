package io.tidemark.operator;

import io.tidemark.config.ConfigKeys;
import io.tidemark.config.DurationText;
import io.tidemark.engine.Providers;
import io.tidemark.error.IpamException;
import io.tidemark.nodeid.config.NodeIdKey;
import io.tidemark.operator.kubectl.KubectlCommand;
import io.tidemark.operator.nodeid.NodeIdCommand;
import io.tidemark.program.ExitCode;
import io.tidemark.program.Failures;
import io.tidemark.program.console.Console;
import io.tidemark.program.console.Secrets;
import io.tidemark.time.ProcessEnd;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Entrance of the program. */
public final class Main {
  /** Of commands that have nothing to end in order, whatever they wait for. */
  private static final Duration LONGEST_STOP = Duration.ofMillis(1500);

  static final List<String> COMMANDS =
      List.of(
          "run",
          "explain",
          "status",
          "doctor",
          "config",
          "plan",
          "node-cidr",
          "node-id",
          "simulate",
          "kubectl",
          "help");

  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    Console console = Console.ofProcess();
    if (helps(console, args)) {
      return;
    }
    ProcessEnd end = ProcessEnd.onSignal(LONGEST_STOP, ExitCode.FAILURE.number());
    Surroundings surroundings =
        new Surroundings(console, System.in, end.stop(), Providers.installed(), System.getenv());
    int code = run(surroundings, args);
    end.exiting(code);
    System.exit(code);
  }

  static int run(Surroundings surroundings, String... args) {
    if (helps(surroundings.console(), args)) {
      return ExitCode.DONE.number();
    }
    Secrets secrets = surroundings.console().secrets();
    SecretPlaces.tell(surroundings.environment(), secrets::learn);
    SecretPlaces.tell(properties(), secrets::learn);
    CommandLine line;
    try {
      line =
          line(
              surroundings.with(
                  Plugins.with(surroundings.providers(), surroundings.environment(), args)),
              args);
    } catch (IpamException e) {
      return failures(surroundings).refused(e);
    }
    return line.execute(args);
  }

  /** Prints the help, before anything is loaded that commands need, if {@code args} ask for it. */
  private static boolean helps(Console console, String... args) {
    boolean asked = args.length > 0 && (args[0].equals("--help") || args[0].equals("-h"));
    if (asked) {
      console.print(RootCommand.HELP);
    }
    return asked;
  }

  /**
   * The commands with their options: the one that {@code args} begin with, otherwise all of them,
   * which take longer to describe than most commands run.
   */
  static CommandLine line(Surroundings surroundings, String... args) {
    ConfigKeys keys = keys();
    CommandLine line = new CommandLine(new RootCommand());
    boolean named = args.length > 0 && COMMANDS.contains(args[0]);
    for (String name : named ? List.of(args[0]) : COMMANDS) {
      line.addSubcommand(name, command(name, surroundings, keys));
    }
    line.registerConverter(Duration.class, Main::duration);
    Failures failures = failures(surroundings);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setOut(surroundings.console().outWriter());
    line.setErr(surroundings.console().errWriter());
    line.setParameterExceptionHandler((e, given) -> failures.misused(e));
    line.setExecutionExceptionHandler((e, command, parsed) -> failures.failed(e, parsed));
    return line;
  }

  private static ConfigKeys keys() {
    return ConfigKeys.of(ProgramKey.withEngine()).with(NodeIdKey.all());
  }

  private static Failures failures(Surroundings surroundings) {
    return new Failures(surroundings.console(), keys());
  }

  private static CommandLine command(String name, Surroundings surroundings, ConfigKeys keys) {
    return switch (name) {
      case "run" -> withSettings(new RunCommand(surroundings), surroundings);
      case "explain" -> withSettings(new ExplainCommand(surroundings), surroundings);
      case "status" -> withSettings(new StatusCommand(surroundings), surroundings);
      case "doctor" -> withSettings(new DoctorCommand(surroundings), surroundings);
      case "config" -> withSettings(new ConfigCommand(surroundings), surroundings);
      case "plan" -> withSettings(new PlanCommand(surroundings), surroundings);
      case "node-cidr" -> NodeCidrCommand.with(surroundings);
      case "node-id" ->
          NodeIdCommand.line(
              surroundings.console(), surroundings.in(), surroundings.environment(), keys);
      case "simulate" -> new CommandLine(new SimulateCommand(surroundings));
      case "kubectl" -> KubectlCommand.line(surroundings.console());
      case "help" -> HelpCommand.line(surroundings);
      default -> throw new IllegalArgumentException("no command " + name);
    };
  }

  private static CommandLine withSettings(Object command, Surroundings surroundings) {
    CommandLine line = new CommandLine(command);
    SettingOptions.addTo(line.getCommandSpec(), surroundings.providers());
    GroupedHelp.use(line);
    return line;
  }

  private static Map<String, String> properties() {
    Properties properties = System.getProperties();
    return properties.stringPropertyNames().stream()
        .collect(Collectors.toMap(name -> name, properties::getProperty));
  }

  private static Duration duration(String text) {
    return DurationText.parse(text)
        .filter(duration -> !duration.isZero() && !duration.isNegative())
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'" + text + "' is not a duration above zero, such as 90s, 5m or PT5M"));
  }
}
