package io.tidemark.it.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Hang;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The program in a process of its own, with credentials of a cloud in its environment. */
public final class OperatorProcess implements AutoCloseable {
  /** The environment of a program that the emulator of Azure accepts. */
  public static final Map<String, String> AZURE =
      Map.of(
          "AZURE_TENANT_ID",
          "tenant",
          "AZURE_CLIENT_ID",
          "client",
          "AZURE_CLIENT_SECRET",
          "secret");

  /** For a whole command, start of its JVM included. */
  private static final long PATIENCE_SECONDS = 5 * Hang.SECONDS;

  private final Process process;
  private final BufferedReader log;
  private final StringBuilder seen = new StringBuilder();

  /** How a command ended. */
  public record Result(int exitCode, String out, String err) {
    /** The same, which must have this exit code. */
    public Result ends(int expected) {
      assertThat(exitCode).as("%s%n%s", err, out).isEqualTo(expected);
      return this;
    }
  }

  private OperatorProcess(Process process) {
    this.process = process;
    this.log = process.errorReader(StandardCharsets.UTF_8);
  }

  /**
   * The environment of a program with an AWS account.
   *
   * @param account twelve digits, the access key id
   */
  public static Map<String, String> aws(String account) {
    return Map.of(
        "AWS_ACCESS_KEY_ID",
        account,
        "AWS_SECRET_ACCESS_KEY",
        "any",
        "AWS_CONFIG_FILE",
        "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE",
        "/dev/null");
  }

  /** Runs a command to its end. */
  public static Result run(Map<String, String> credentials, List<String> arguments) {
    try {
      Path out = Files.createTempFile("tidemark", ".out");
      Path err = Files.createTempFile("tidemark", ".err");
      try {
        Process process =
            builder(credentials, arguments)
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

  /** Starts a command that runs until the test stops it. */
  public static OperatorProcess start(Map<String, String> credentials, List<String> arguments)
      throws IOException {
    return new OperatorProcess(
        builder(credentials, arguments).redirectOutput(ProcessBuilder.Redirect.DISCARD).start());
  }

  /** The words that start a program from the class path of the tests. */
  public static List<String> java(String main, List<String> arguments) {
    Stream<String> java =
        Stream.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            main);
    return Stream.concat(java, arguments.stream()).toList();
  }

  private static ProcessBuilder builder(Map<String, String> credentials, List<String> arguments) {
    ProcessBuilder builder = new ProcessBuilder(java("io.tidemark.operator.Main", arguments));
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("AWS_") || name.startsWith("AZURE_"));
    environment.putAll(credentials);
    return builder;
  }

  /** Blocks until it listens; its own endpoints. */
  public URI awaitEndpoints() throws IOException {
    String running = awaitLog(line -> line.contains("endpoints="));
    return URI.create(running.replaceFirst(".*endpoints=", "").strip() + "/");
  }

  /** The status code that an endpoint answers with. */
  public static int status(URI at) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(at).build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /** Blocks until the log has such a line, which comes after those that were awaited before. */
  public String awaitLog(Predicate<String> wanted) throws IOException {
    CompletableFuture<Void> late =
        CompletableFuture.runAsync(
            process::destroyForcibly,
            CompletableFuture.delayedExecutor(PATIENCE_SECONDS, TimeUnit.SECONDS));
    try {
      String line = log.readLine();
      while (line != null) {
        seen.append(line).append('\n');
        if (wanted.test(line)) {
          return line;
        }
        line = log.readLine();
      }
    } finally {
      late.cancel(false);
    }
    throw new AssertionError("it ended, or wrote no such line in time; it wrote:\n" + seen);
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
