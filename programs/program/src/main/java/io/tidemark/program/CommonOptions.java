package io.tidemark.program;

import ch.qos.logback.classic.Level;
import io.tidemark.program.console.Console;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options of every command. */
public final class CommonOptions {
  /** Levels of log lines. */
  public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "Output format: text or json (default: ${DEFAULT-VALUE}).")
  private OutputFormat output = OutputFormat.TEXT;

  @Option(
      names = {"-v", "--verbose"},
      description = "Log each change; the same as --log-level=info.")
  private boolean verbose;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description =
          "Log messages of this level and above to standard error: error, warn, info, debug, trace"
              + " (default: warn on a terminal, info otherwise).")
  private @Nullable LogLevel logLevel;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description =
          "Log format: text, or json for one object per line (default: ${DEFAULT-VALUE}).")
  private OutputFormat logFormat = OutputFormat.TEXT;

  @Option(names = "--debug", description = "Show the stack trace of a failure.")
  private boolean debug;

  public boolean json() {
    return output == OutputFormat.JSON;
  }

  public boolean debug() {
    return debug;
  }

  /** Sends log lines to the console, from the wanted level on. */
  public void startLogging(Console console, LogLevel otherwise) {
    LogLevel level = Optional.ofNullable(logLevel).orElse(verbose ? LogLevel.INFO : otherwise);
    Logging.toConsole(console, Level.toLevel(level.name().toUpperCase(Locale.ROOT)), logFormat);
  }

  /**
   * The value of an option.
   *
   * @throws ParameterException when it is not from {@code least} to {@code most}
   */
  public static int bounded(CommandSpec command, String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          command.commandLine(),
          option + " is " + value + "; expected a number from " + least + " to " + most);
    }
    return value;
  }
}
