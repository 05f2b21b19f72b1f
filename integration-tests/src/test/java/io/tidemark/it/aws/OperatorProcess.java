package io.tidemark.it.aws;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The program in a process of its own, with an AWS account in its environment. */
public final class OperatorProcess implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 120;

  private final Process process;
  private final BufferedReader log;
  private final StringBuilder seen = new StringBuilder();

  /** How a command ended. */
  public record Result(int exitCode, String out, String err) {}

  private OperatorProcess(Process process) {
    this.process = process;
    this.log = process.errorReader(StandardCharsets.UTF_8);
  }

  /**
   * Runs a command to its end.
   *
   * @param account twelve digits, the access key id
   */
  public static Result run(String account, List<String> arguments) {
    try {
      Path out = Files.createTempFile("tidemark", ".out");
      Path err = Files.createTempFile("tidemark", ".err");
      try {
        Process process =
            builder(account, arguments)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new AssertionError("it did not end; it wrote:\n" + Files.readString(err));
        }
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
      } finally {
        Files.delete(out);
        Files.delete(err);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Starts a command that ends when it is told to. */
  public static OperatorProcess start(String account, List<String> arguments) throws IOException {
    return new OperatorProcess(
        builder(account, arguments).redirectOutput(ProcessBuilder.Redirect.DISCARD).start());
  }

  private static ProcessBuilder builder(String account, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("io.tidemark.operator.Main");
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("AWS_"));
    environment.put("AWS_ACCESS_KEY_ID", account);
    environment.put("AWS_SECRET_ACCESS_KEY", "any");
    environment.put("AWS_CONFIG_FILE", "/dev/null");
    environment.put("AWS_SHARED_CREDENTIALS_FILE", "/dev/null");
    return builder;
  }

  /** Blocks until the log has such a line. */
  public String awaitLog(Predicate<String> wanted) throws IOException {
    String line = log.readLine();
    while (line != null) {
      seen.append(line).append('\n');
      if (wanted.test(line)) {
        return line;
      }
      line = log.readLine();
    }
    throw new AssertionError("it ended before; it wrote:\n" + seen);
  }

  /** Ends it as SIGTERM does; answers its exit code. */
  public int stop() throws InterruptedException {
    process.toHandle().destroy();
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
