package io.tidemark.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.daemon.ipamd.grpc.RpcClient;
import io.tidemark.program.console.Console;
import io.tidemark.time.StopSignal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One run of the command {@code ipamd} in this process. */
final class IpamdRun {
  Map<String, String> environment = Map.of();
  private final Path socket;
  private final List<String> usual;
  private final StopSignal stop = new StopSignal();
  private final CountDownLatch serving = new CountDownLatch(1);
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

  /** The calls to the program while it serves. */
  interface Calls {
    void with(RpcClient client) throws Exception;
  }

  /** With these arguments, as long as a run gives no others. */
  IpamdRun(Path socket, Path checkpoint, String... more) {
    this.socket = socket;
    this.usual =
        new ArrayList<>(
            List.of(
                "ipamd",
                "--ipamd-socket=" + socket,
                "--checkpoint-path=" + checkpoint,
                "--check-pod-links=false",
                "--introspection-address=127.0.0.1:0",
                "--metrics-address=localhost:0"));
    usual.addAll(List.of(more));
  }

  /** The standard error, which tells when it serves. */
  private final class Errors extends OutputStream {
    @Override
    public synchronized void write(int b) {
      errors.write(b);
      if (b == '\n' && errors().contains("serving the plugin")) {
        serving.countDown();
      }
    }
  }

  /** Runs it to its end; the exit code. */
  int run(String... more) {
    List<String> arguments = new ArrayList<>(usual);
    for (String each : more) {
      String option = each.replaceFirst("=.*", "=");
      arguments.removeIf(given -> given.startsWith(option));
      arguments.add(each);
    }
    PrintStream out = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
    PrintStream err = new PrintStream(new Errors(), true, UTF_8);
    Console console = new Console(out, err, false);
    return Main.run(console, stop, environment, arguments.toArray(String[]::new));
  }

  /** Serves while {@code calls} run; the exit code must be that of a stop. */
  void serve(Calls calls, String... more) throws Exception {
    CompletableFuture<Integer> end =
        CompletableFuture.supplyAsync(() -> run(more), AgentRun::inThread);
    end.whenComplete((code, thrown) -> serving.countDown());
    serving.await();
    assertThat(end).as(errors()).isNotDone();
    try (RpcClient client = RpcClient.of(socket)) {
      calls.with(client);
    } finally {
      stop.request();
    }
    assertThat(end.get()).isZero();
    assertThat(socket).doesNotExist();
  }

  String errors() {
    return errors.toString(UTF_8);
  }

  /** A page of the listener that the console calls so. */
  HttpResponse<String> get(String listener, String path) {
    Matcher port = Pattern.compile(listener + " on port ([0-9]+)").matcher(errors());
    assertThat(port.find()).as(errors()).isTrue();
    URI uri = URI.create("http://127.0.0.1:" + port.group(1) + path);
    return sent(HttpRequest.newBuilder(uri).build());
  }

  static HttpResponse<String> sent(HttpRequest request) {
    try {
      return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
