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
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/** Entrance of the program. */
public final class Main {
  /** Longer than the longest stop a command promises. */
  private static final Duration LONGEST_STOP = Duration.ofMinutes(11);

  /** The commands by name, in the order of the help. */
  private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("run", RunCommand.class);
    COMMANDS.put("explain", ExplainCommand.class);
    COMMANDS.put("status", StatusCommand.class);
    COMMANDS.put("doctor", DoctorCommand.class);
    COMMANDS.put("config", ConfigCommand.class);
    COMMANDS.put("node-cidr", NodeCidrCommand.class);
    COMMANDS.put("node-id", NodeIdCommand.class);
    COMMANDS.put("simulate", SimulateCommand.class);
    COMMANDS.put("kubectl", KubectlCommand.class);
  }

  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    Console console = Console.ofProcess();
    ProcessEnd end = ProcessEnd.onSignal(LONGEST_STOP, ExitCode.FAILURE.number());
    Providers providers = namesCommand(args) ? Providers.installed() : new Providers(List.of());
    Surroundings surroundings =
        new Surroundings(console, System.in, end.stop(), providers, System.getenv());
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
   * The commands with their options: the one that {@code args} begin with, otherwise all of them.
   * If {@code args} name no command, as {@code --help} does, the commands have a description alone,
   * since the options of all take longer to describe than most commands run.
   */
  static CommandLine line(Surroundings surroundings, String... args) {
    ConfigKeys keys = ConfigKeys.of(ProgramKey.withEngine()).with(NodeIdKey.all());
    CommandLine line = new CommandLine(new RootCommand());
    boolean first = args.length > 0 && COMMANDS.containsKey(args[0]);
    boolean described = args.length > 0 && !namesCommand(args);
    COMMANDS.forEach(
        (name, type) -> {
          if (described) {
            CommandSpec spec = CommandSpec.create();
            spec.usageMessage().description(type.getAnnotation(Command.class).description());
            line.addSubcommand(name, spec);
          } else if (!first || name.equals(args[0])) {
            line.addSubcommand(name, command(name, surroundings, keys));
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

  private static boolean namesCommand(String... args) {
    return Stream.of(args).anyMatch(COMMANDS::containsKey);
  }

  private static CommandLine command(String name, Surroundings surroundings, ConfigKeys keys) {
    return switch (name) {
      case "run" -> withSettings(new RunCommand(surroundings), surroundings);
      case "explain" -> withSettings(new ExplainCommand(surroundings), surroundings);
      case "status" -> withSettings(new StatusCommand(surroundings), surroundings);
      case "doctor" -> withSettings(new DoctorCommand(surroundings), surroundings);
      case "config" -> withSettings(new ConfigCommand(surroundings), surroundings);
      case "node-cidr" -> NodeCidrCommand.with(surroundings);
      case "node-id" ->
          NodeIdCommand.line(
              surroundings.console(), surroundings.in(), surroundings.environment(), keys);
      case "simulate" -> new CommandLine(new SimulateCommand(surroundings));
      case "kubectl" -> KubectlCommand.line(surroundings.console());
      default -> throw new IllegalArgumentException("no command " + name);
    };
  }

  private static CommandLine withSettings(Object command, Surroundings surroundings) {
    CommandLine line = new CommandLine(command);
    SettingOptions.addTo(line.getCommandSpec(), surroundings.providers());
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
