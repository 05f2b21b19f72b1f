package io.tidemark.operator;

import io.tidemark.config.ConfigKeys;
import io.tidemark.config.DurationText;
import io.tidemark.engine.Providers;
import io.tidemark.nodeid.config.NodeIdKey;
import io.tidemark.operator.kubectl.KubectlCommand;
import io.tidemark.operator.nodeid.NodeIdCommand;
import io.tidemark.program.ExitCode;
import io.tidemark.program.Failures;
import io.tidemark.program.console.Console;
import io.tidemark.program.console.Secrets;
import io.tidemark.time.ProcessEnd;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Entrance of the program. */
public final class Main {
  /** Longer than the longest stop a command promises. */
  private static final Duration LONGEST_STOP = Duration.ofMinutes(11);

  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    Console console = Console.ofProcess();
    ProcessEnd end = ProcessEnd.onSignal(LONGEST_STOP, ExitCode.FAILURE.number());
    Surroundings surroundings =
        new Surroundings(console, System.in, end.stop(), Providers.installed(), System.getenv());
    int code = run(surroundings, args);
    end.exiting(code);
    System.exit(code);
  }

  /** Runs one command on the calling thread. */
  static int run(Surroundings surroundings, String... args) {
    Secrets secrets = surroundings.console().secrets();
    SecretPlaces.tell(surroundings.environment(), secrets::learn);
    SecretPlaces.tell(properties(), secrets::learn);
    return line(surroundings, args).execute(args);
  }

  /**
   * The commands with their options: the one that {@code args} begin with, otherwise all of them,
   * without settings if no argument is a command, as in {@code --help}. The settings of all take
   * longer to describe than most commands run.
   */
  static CommandLine line(Surroundings surroundings, String... args) {
    ConfigKeys keys = ConfigKeys.of(ProgramKey.withEngine()).with(NodeIdKey.all());
    Map<String, Supplier<CommandLine>> commands = commands(surroundings, keys, args);
    boolean named = args.length > 0 && commands.containsKey(args[0]);
    CommandLine line = new CommandLine(new RootCommand());
    commands.forEach(
        (name, command) -> {
          if (!named || name.equals(args[0])) {
            line.addSubcommand(name, command.get());
          }
        });
    line.registerConverter(Duration.class, Main::duration);
    Failures failures = new Failures(surroundings.console(), keys);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setOut(surroundings.console().outWriter());
    line.setErr(surroundings.console().errWriter());
    line.setParameterExceptionHandler((e, given) -> failures.misused(e));
    line.setExecutionExceptionHandler((e, command, parsed) -> failures.failed(e, parsed));
    return line;
  }

  /** By name, in the order of the help. */
  private static Map<String, Supplier<CommandLine>> commands(
      Surroundings surroundings, ConfigKeys keys, String... args) {
    Map<String, Supplier<CommandLine>> commands = new LinkedHashMap<>();
    UnaryOperator<CommandLine> settings =
        line -> {
          if (args.length == 0 || Stream.of(args).anyMatch(commands::containsKey)) {
            SettingOptions.addTo(line.getCommandSpec(), surroundings.providers());
          }
          return line;
        };
    commands.put("run", () -> settings.apply(new CommandLine(new RunCommand(surroundings))));
    commands.put(
        "explain", () -> settings.apply(new CommandLine(new ExplainCommand(surroundings))));
    commands.put("status", () -> settings.apply(new CommandLine(new StatusCommand(surroundings))));
    commands.put("doctor", () -> settings.apply(new CommandLine(new DoctorCommand(surroundings))));
    commands.put("config", () -> settings.apply(new CommandLine(new ConfigCommand(surroundings))));
    commands.put("node-cidr", () -> NodeCidrCommand.with(surroundings));
    commands.put(
        "node-id",
        () ->
            NodeIdCommand.line(
                surroundings.console(), surroundings.in(), surroundings.environment(), keys));
    commands.put("simulate", () -> new CommandLine(new SimulateCommand(surroundings)));
    commands.put("kubectl", () -> KubectlCommand.line(surroundings.console()));
    return commands;
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
