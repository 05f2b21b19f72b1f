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
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
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
    return line(surroundings).execute(args);
  }

  /** The commands with their options. */
  static CommandLine line(Surroundings surroundings) {
    CommandLine line = new CommandLine(new RootCommand());
    line.addSubcommand(withSettings(new RunCommand(surroundings), surroundings));
    line.addSubcommand(withSettings(new ExplainCommand(surroundings), surroundings));
    line.addSubcommand(withSettings(new StatusCommand(surroundings), surroundings));
    line.addSubcommand(withSettings(new DoctorCommand(surroundings), surroundings));
    line.addSubcommand(withSettings(new ConfigCommand(surroundings), surroundings));
    line.addSubcommand(NodeCidrCommand.with(surroundings));
    ConfigKeys keys = ConfigKeys.of(ProgramKey.withEngine()).with(NodeIdKey.all());
    line.addSubcommand(
        NodeIdCommand.line(
            surroundings.console(), surroundings.in(), surroundings.environment(), keys));
    line.addSubcommand(new SimulateCommand(surroundings));
    line.addSubcommand(KubectlCommand.line(surroundings.console()));
    line.registerConverter(Duration.class, Main::duration);
    Failures failures = new Failures(surroundings.console(), keys);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setOut(surroundings.console().outWriter());
    line.setErr(surroundings.console().errWriter());
    line.setParameterExceptionHandler((e, given) -> failures.misused(e));
    line.setExecutionExceptionHandler((e, command, parsed) -> failures.failed(e, parsed));
    return line;
  }

  private static Map<String, String> properties() {
    Properties properties = System.getProperties();
    return properties.stringPropertyNames().stream()
        .collect(Collectors.toMap(name -> name, properties::getProperty));
  }

  private static CommandLine withSettings(Object command, Surroundings surroundings) {
    CommandLine line = new CommandLine(command);
    SettingOptions.addTo(line.getCommandSpec(), surroundings.providers());
    return line;
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
