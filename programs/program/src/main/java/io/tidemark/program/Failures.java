package io.tidemark.program;

import io.tidemark.config.ConfigKeys;
import io.tidemark.config.ConfigLayer;
import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.Setting;
import io.tidemark.error.CoreError;
import io.tidemark.error.ErrorCode;
import io.tidemark.error.IpamException;
import io.tidemark.error.NearestName;
import io.tidemark.error.ParserMessage;
import io.tidemark.program.console.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints why a command failed: code, value, remedy; with {@code --debug} a stack trace. */
public final class Failures {
  private final Console console;
  private final ConfigKeys keys;

  /**
   * Failures of a program.
   *
   * @param keys its settings, to recognize those that are refused by name
   */
  public Failures(Console console, ConfigKeys keys) {
    this.console = console;
    this.keys = keys;
  }

  /** The command line cannot be understood; the exit code. */
  public int misused(ParameterException e) {
    CommandLine command = e.getCommandLine();
    String problem =
        e instanceof UnmatchedArgumentException unmatched
            ? unmatched(command, unmatched.getUnmatched())
            : ParserMessage.plain(String.valueOf(e.getMessage()));
    say(
        CoreError.USAGE_REFUSED,
        problem,
        "See " + command.getCommandSpec().qualifiedName(" ") + " --help.");
    return ExitCode.USAGE.number();
  }

  /** The command ended by an exception; the exit code. */
  public int failed(Exception e, ParseResult parsed) {
    console.endLive();
    if (isDebug(parsed)) {
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      console.note(trace.toString().stripTrailing());
    }
    Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
    if (cause instanceof IpamException coded) {
      return refused(coded);
    }
    say(CoreError.INTERNAL_FAILURE, e.toString(), CoreError.INTERNAL_FAILURE.remedy());
    return ExitCode.FAILURE.number();
  }

  /** A failure with a code, in a command or before one began; the exit code. */
  public int refused(IpamException e) {
    console.note("tidemark: " + e.getMessage());
    ErrorCode.Kind kind = e.code().kind();
    boolean byPerson = kind == ErrorCode.Kind.USAGE || kind == ErrorCode.Kind.CONFIGURATION;
    return (byPerson ? ExitCode.USAGE : ExitCode.FAILURE).number();
  }

  private void say(CoreError code, String problem, String remedy) {
    console.note("tidemark: " + code.label() + " " + code + ": " + problem + ". " + remedy);
  }

  /** The unknown arguments, each with a suggestion. */
  private String unmatched(CommandLine command, List<String> arguments) {
    List<String> problems = new ArrayList<>();
    for (String argument : arguments) {
      if (argument.startsWith("-")) {
        problems.add(unknownOption(command, argument.replaceFirst("=.*", "")));
      } else if (command.getSubcommands().isEmpty()) {
        problems.add("'" + argument + "' is not expected here");
      } else {
        Set<String> commands = command.getSubcommands().keySet();
        problems.add(
            "there is no command '"
                + argument
                + "'"
                + NearestName.of(argument, commands)
                    .map(each -> "; the nearest is " + each)
                    .orElse("")
                + "; "
                + CommandGroup.list(commands));
      }
    }
    return String.join("; ", problems);
  }

  private String unknownOption(CommandLine command, String option) {
    String key = option.replaceFirst("^-+", "");
    ConfigProblems known = new ConfigProblems();
    ConfigLayer given = ConfigLayer.own(List.of(new Setting(key, "", "command line")));
    keys.resolve(List.of(given), known);
    for (ConfigProblem each : known.found()) {
      if (each.code() != CoreError.CONFIG_UNKNOWN_KEY) {
        return option + " " + each.problem() + ": " + sentence(each.remedy());
      }
    }
    String nearest =
        NearestName.sorted(option, command.getCommandSpec().optionsMap().keySet()).get(0);
    return "there is no option " + option + "; the nearest is " + nearest;
  }

  private static String sentence(String text) {
    return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
  }

  private static boolean isDebug(ParseResult parsed) {
    ParseResult innermost = parsed;
    while (innermost.hasSubcommand()) {
      innermost = innermost.subcommand();
    }
    return innermost.hasMatchedOption("--debug");
  }
}
