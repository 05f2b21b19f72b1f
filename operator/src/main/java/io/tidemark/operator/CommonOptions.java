package io.tidemark.operator;

import ch.qos.logback.classic.Level;
import io.tidemark.operator.console.Console;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of every command. */
final class CommonOptions {
  /** Levels of log lines. */
  enum LogLevel {
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

  OutputFormat output() {
    return output;
  }

  boolean json() {
    return output == OutputFormat.JSON;
  }

  boolean debug() {
    return debug;
  }

  /** Sends log lines to the console, from the wanted level on. */
  void startLogging(Console console, LogLevel otherwise) {
    LogLevel level = Optional.ofNullable(logLevel).orElse(verbose ? LogLevel.INFO : otherwise);
    Logging.toConsole(console, Level.toLevel(level.name().toUpperCase(Locale.ROOT)), logFormat);
  }
}
