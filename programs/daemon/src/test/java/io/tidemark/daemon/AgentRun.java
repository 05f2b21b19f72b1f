package io.tidemark.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.program.console.Console;
import io.tidemark.testing.Hang;
import io.tidemark.time.StopSignal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command {@code agent} in this process, usually of node n1, with its files in one folder. */
final class AgentRun {
  private static final Pattern PORT = Pattern.compile("health on port (\\d+)");

  final Path socket;
  final CountDownLatch serving = new CountDownLatch(1);
  final CountDownLatch waiting = new CountDownLatch(1);

  private final Path folder;
  private final String node;
  private final StopSignal stop = new StopSignal();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
  private CompletableFuture<Integer> ended = new CompletableFuture<>();

  AgentRun(Path folder) {
    this(folder, "n1");
  }

  AgentRun(Path folder, String node) {
    this.folder = folder;
    this.node = node;
    this.socket = folder.resolve("agent.sock");
  }

  /** The standard error, which tells when the agent waits or serves. */
  private final class Errors extends OutputStream {
    @Override
    public synchronized void write(int b) {
      errors.write(b);
      if (b == '\n') {
        String all = errors();
        if (all.contains("serving node n1")) {
          serving.countDown();
        }
        if (all.contains("waits for the addresses")) {
          waiting.countDown();
        }
      }
    }
  }

  /** Runs it to its end; the exit code. */
  int run(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "agent",
                "--node=" + node,
                "--socket=" + socket,
                "--state=" + folder.resolve("state")));
    arguments.addAll(List.of(more));
    if (arguments.stream().noneMatch(each -> each.startsWith("--port="))) {
      arguments.add("--port=0");
    }
    PrintStream out = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
    PrintStream err = new PrintStream(new Errors(), true, UTF_8);
    return Main.run(new Console(out, err, false), stop, Map.of(), arguments.toArray(String[]::new));
  }

  /**
   * Runs it without addresses to its end, which has this cause. The wait at its start is made
   * longer until the cause is found in it, so that a slow machine needs more time alone.
   */
  void waitsInVain(String cause, String... more) {
    waitsInVain(1, "TM-1805 NODE_WITHOUT_ADDRESSES", cause, more);
  }

  /** Likewise, without an object of the node. */
  void waitsForNobody(String cause, String... more) {
    waitsInVain(2, "TM-1809 NODE_UNKNOWN", cause, more);
  }

  private void waitsInVain(int exitCode, String code, String cause, String... more) {
    Pattern expected = Pattern.compile(code + ": not within \\d+ s: .*" + Pattern.quote(cause));
    String[] arguments = Arrays.copyOf(more, more.length + 1);
    int ended = 0;
    for (int seconds = 1;
        seconds <= Hang.SECONDS && !expected.matcher(errors()).find();
        seconds *= 2) {
      arguments[more.length] = "--agent-start-wait=" + seconds + "s";
      ended = run(arguments);
    }
    assertThat(errors()).containsPattern(expected);
    assertThat(ended).isEqualTo(exitCode);
  }

  /** Runs it beside the test; when it ends, nobody waits for it to serve any more. */
  void start(String... more) {
    ended = CompletableFuture.supplyAsync(() -> run(more), AgentRun::inThread);
    ended.whenComplete(
        (code, thrown) -> {
          serving.countDown();
          waiting.countDown();
        });
  }

  /** The same, until it serves or ends. */
  void serve(String... more) throws InterruptedException {
    start(more);
    serving.await();
  }

  /** One that serves, with the shortest wait at its start that is enough on this machine. */
  static AgentRun servingSoon(Path folder, String... more) throws InterruptedException {
    String[] arguments = Arrays.copyOf(more, more.length + 1);
    for (int seconds = 1; ; seconds *= 2) {
      AgentRun agent = new AgentRun(folder);
      arguments[more.length] = "--agent-start-wait=" + seconds + "s";
      agent.serve(arguments);
      if (!agent.ended.isDone() || seconds >= Hang.SECONDS) {
        return agent;
      }
    }
  }

  /** Stops it; it ends with the exit code of a stop. */
  void end() throws Exception {
    stop.request();
    assertThat(ended.get()).isZero();
  }

  /** The common pool can have one thread alone, and clients of an API server need it. */
  static void inThread(Runnable command) {
    new Thread(command, "command").start();
  }

  String errors() {
    return errors.toString(UTF_8);
  }

  /** The agent's answer to a request of the network "net". */
  String ask(String command, String container) throws IOException {
    return ask(command, container, "");
  }

  /** The status and body of a path of its HTTP endpoint. */
  String get(String path) throws IOException, InterruptedException {
    Matcher port = PORT.matcher(errors());
    if (!port.find()) {
      throw new IllegalStateException("it does not serve: " + errors());
    }
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port.group(1) + path))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    return response.statusCode() + " " + response.body();
  }

  /** Likewise, with more under {@code ipam}. A container {@code pod-x} is pod team/pod-x. */
  String ask(String command, String container, String more) throws IOException {
    return PluginClient.ask(socket, request(command, container, more));
  }

  static String request(String command, String container, String more) {
    return "TIDEMARK-CNI/1\nCNI_COMMAND="
        + command
        + "\nCNI_CONTAINERID="
        + container
        + "\nCNI_NETNS=/x\nCNI_IFNAME=eth0\n"
        + (container.startsWith("pod-")
            ? "CNI_ARGS=K8S_POD_NAMESPACE=team;K8S_POD_NAME=" + container + "\n\n"
            : "\n")
        + "{\"cniVersion\":\"1.1.0\",\"name\":\"net\",\"ipam\":{\"type\":\"tidemark-ipam\""
        + more
        + "}}";
  }
}
