package io.tidemark.emulator.kit.cli;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.error.ParserMessage;
import io.tidemark.time.ProcessEnd;
import io.tidemark.time.StopSignal;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import picocli.CommandLine;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs the command of an emulator as a process, and tells the version of its program. */
public final class EmulatorProgram implements IVersionProvider {
  /** Ended by SIGTERM or SIGINT, or there was only a question to answer. */
  public static final int DONE = 0;

  /** A defect. */
  public static final int FAILURE = 1;

  /** The command line or the scenario is wrong, or a port is taken; nothing was started. */
  public static final int USAGE = 2;

  private static final String LOG_SETTINGS = "logback.configurationFile";

  private static final Duration LONGEST_STOP = Duration.ofMillis(1500);

  @Spec private CommandSpec spec = CommandSpec.create();

  private EmulatorProgram() {}

  /**
   * Runs until a signal arrives, and ends the process with the command's exit code.
   *
   * @param command made of the standard output and the signal that ends it
   */
  public static void start(
      BiFunction<PrintWriter, StopSignal, Callable<Integer>> command, String[] arguments) {
    if (System.getProperty(LOG_SETTINGS) == null) {
      System.setProperty(LOG_SETTINGS, "io/tidemark/emulator/kit/cli/logback.xml");
    }
    ProcessEnd end = ProcessEnd.onSignal(LONGEST_STOP, FAILURE);
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int code = run(command.apply(out, end.stop()), out, err, arguments);
    end.exiting(code);
    System.exit(code);
  }

  /** Runs the command on the calling thread until it is stopped; returns its exit code. */
  public static int run(
      Callable<Integer> command, PrintWriter out, PrintWriter err, String... arguments) {
    CommandLine line = new CommandLine(command);
    line.setOut(out);
    line.setErr(err);
    line.setParameterExceptionHandler(
        (e, given) -> {
          String problem = ParserMessage.plain(String.valueOf(e.getMessage()));
          say(err, new IpamException(CoreError.USAGE_REFUSED, problem));
          return USAGE;
        });
    line.setExecutionExceptionHandler(
        (e, failed, parsed) -> {
          if (e instanceof IpamException coded) {
            say(err, coded);
            return USAGE;
          }
          say(err, new IpamException(CoreError.INTERNAL_FAILURE, e.toString()));
          e.printStackTrace(err);
          return FAILURE;
        });
    return line.execute(arguments);
  }

  private static void say(PrintWriter err, IpamException problem) {
    err.println("tidemark: " + problem.getMessage());
  }

  /** The answer to {@code --version}. */
  @Override
  public String[] getVersion() {
    String version =
        Optional.ofNullable(EmulatorProgram.class.getPackage().getImplementationVersion())
            .orElse("of an unpacked build");
    return new String[] {spec.qualifiedName() + " " + version};
  }
}
