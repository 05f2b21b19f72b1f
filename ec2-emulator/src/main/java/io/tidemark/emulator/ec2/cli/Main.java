package io.tidemark.emulator.ec2.cli;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.time.ProcessEnd;
import io.tidemark.time.StopSignal;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import picocli.CommandLine;

/** Entrance of the program. */
public final class Main {
  private static final String LOG_SETTINGS = "logback.configurationFile";

  private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

  private Main() {}

  /** Runs until a signal arrives, and ends the process with the command's exit code. */
  public static void main(String[] arguments) {
    if (System.getProperty(LOG_SETTINGS) == null) {
      System.setProperty(LOG_SETTINGS, "io/tidemark/emulator/ec2/cli/logback.xml");
    }
    ProcessEnd end = ProcessEnd.onSignal(LONGEST_STOP, ExitCode.FAILURE);
    int code =
        run(
            new PrintWriter(System.out, true, StandardCharsets.UTF_8),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8),
            end.stop(),
            arguments);
    end.exiting(code);
    System.exit(code);
  }

  /** Runs the command on the calling thread until it is stopped; returns its exit code. */
  static int run(PrintWriter out, PrintWriter err, StopSignal stop, String... arguments) {
    CommandLine line = new CommandLine(new EmulatorCommand(out, stop));
    line.setOut(out);
    line.setErr(err);
    line.setParameterExceptionHandler(
        (e, given) -> {
          String problem = String.valueOf(e.getMessage()).replaceFirst("\\.$", "");
          say(err, new IpamException(CoreError.USAGE_REFUSED, problem));
          return ExitCode.USAGE;
        });
    line.setExecutionExceptionHandler(
        (e, command, parsed) -> {
          if (e instanceof IpamException coded) {
            say(err, coded);
            return ExitCode.USAGE;
          }
          say(err, new IpamException(CoreError.INTERNAL_FAILURE, e.toString()));
          e.printStackTrace(err);
          return ExitCode.FAILURE;
        });
    return line.execute(arguments);
  }

  private static void say(PrintWriter err, IpamException problem) {
    err.println("tidemark: " + problem.getMessage());
  }
}
