package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.engine.Providers;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.program.console.Console;
import io.tidemark.spi.ProviderFactory;
import io.tidemark.testing.Hang;
import io.tidemark.time.StopSignal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The program in this process: its arguments, its output, its exit code. */
final class Program {
  /** For a step of a program, the start of all of it included. */
  private static final long PATIENCE_SECONDS = 5 * Hang.SECONDS;

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Captured out = new Captured();
  private final Captured err = new Captured();
  private final StopSignal stop = new StopSignal();
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();

  /** How a command ended. */
  record Result(int exitCode, String out, String err) {
    /** The same, which must have this exit code. */
    Result ends(int expected) {
      assertThat(exitCode).as("%s%n%s", err, out).isEqualTo(expected);
      return this;
    }
  }

  /** The program in a process of its own. */
  static ProcessBuilder process(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    command.add(Main.class.getName());
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }

  /** A stream that can be waited for. */
  private static final class Captured extends ByteArrayOutputStream {
    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      super.write(bytes, offset, length);
      notifyAll();
    }

    @Override
    public synchronized void write(int one) {
      super.write(one);
      notifyAll();
    }

    synchronized String text() {
      return toString(StandardCharsets.UTF_8);
    }

    synchronized void await(String part) throws InterruptedException, TimeoutException {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (!text().contains(part)) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          throw new TimeoutException("'" + part + "' never came; there is:\n" + text());
        }
        wait(left);
      }
    }
  }

  private final Providers providers;
  private final Map<String, String> environment;
  private final InputStream in;

  private Program(Providers providers, Map<String, String> environment) {
    this(providers, environment, InputStream.nullInputStream());
  }

  private Program(Providers providers, Map<String, String> environment, InputStream in) {
    this.providers = providers;
    this.environment = environment;
    this.in = in;
  }

  /** Words of a command line, then more arguments. */
  static String[] arguments(String words, String option, String... more) {
    return Stream.of(Stream.of(words.split(" ", -1)), Stream.of(option), Stream.of(more))
        .flatMap(each -> each)
        .toArray(String[]::new);
  }

  /** Runs a command to its end. */
  static Result run(String... args) {
    return run(Map.of(), args);
  }

  /** Runs a command to its end, in this environment. */
  static Result run(Map<String, String> environment, String... args) {
    return new Program(Providers.installed(), environment).execute(args);
  }

  /** Runs a command to its end, with this text as its standard input. */
  static Result runWithInput(String text, String... args) {
    InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    return new Program(Providers.installed(), Map.of(), in).execute(args);
  }

  /** Runs a command to its end, where this is the only provider. */
  static Result run(ProviderFactory provider, String... args) {
    return new Program(new Providers(List.of(provider)), Map.of()).execute(args);
  }

  /** Starts a command that runs until the test stops it. */
  static Program start(String... args) {
    Program program = new Program(Providers.installed(), Map.of());
    Thread main = new Thread(() -> program.exitCode.complete(program.execute(args).exitCode()));
    main.setDaemon(true);
    main.start();
    return program;
  }

  /** Blocks until this text was written to the standard error. */
  Program awaitErr(String part) throws InterruptedException, TimeoutException {
    err.await(part);
    return this;
  }

  /** Blocks until it answers over HTTP; the port. */
  int awaitPort() throws InterruptedException, TimeoutException {
    awaitErr("endpoints=http://");
    Matcher port = Pattern.compile("endpoints=http://\\S*:([0-9]+)").matcher(err());
    if (!port.find()) {
      throw new IllegalStateException("no port in " + err());
    }
    return Integer.parseInt(port.group(1));
  }

  /** Asks it over HTTP, as soon as it answers. */
  HttpResponse<String> ask(String path) throws IOException, InterruptedException, TimeoutException {
    URI uri = URI.create("http://localhost:" + awaitPort() + path);
    return HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Blocks until its metrics have all these lines or parts of lines. */
  void awaitMetrics(String... samples) {
    Eventually.holds(
        "it is measured: " + List.of(samples),
        () -> {
          String scraped = ask("/metrics").body();
          return Stream.of(samples).allMatch(scraped::contains);
        });
  }

  /** The standard error so far. */
  String err() {
    return err.text();
  }

  /** Tells it to end, as SIGTERM does, and waits for that. */
  Result stop() throws InterruptedException, ExecutionException, TimeoutException {
    stop.request();
    int code = exitCode.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return new Result(code, out.text(), err.text());
  }

  private Result execute(String... args) {
    Console console =
        new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false);
    int code = Main.run(new Surroundings(console, in, stop, providers, environment), args);
    return new Result(code, out.text(), err.text());
  }
}
