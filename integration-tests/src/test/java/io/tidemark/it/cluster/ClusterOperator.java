package io.tidemark.it.cluster;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.kubernetes.deploy.DeployedJava;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The program in a process of its own, which can be ended, killed and paused. */
final class ClusterOperator implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;
  private static final int OK = 200;
  private static final Pattern PORT = Pattern.compile("endpoints=http://[^\\s]*:([0-9]+)");
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Process process;
  private final Path log;

  private ClusterOperator(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts {@code tidemark run}, as {@code deploy/base} sets its JVM: from the class path of the
   * tests, or as the image does from the jar that the property {@code tidemark.jar} names, with the
   * class-data archive beside it. The property {@code tidemark.jvm} adds options.
   *
   * @param log where it writes what it says
   */
  static ClusterOperator start(Path log, String account, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(DeployedJava.options());
    Stream.of(System.getProperty("tidemark.jvm", "").split(" "))
        .filter(each -> !each.isEmpty())
        .forEach(command::add);
    String jar = System.getProperty("tidemark.jar");
    command.addAll(
        jar == null
            ? List.of("-cp", System.getProperty("java.class.path"), "io.tidemark.operator.Main")
            : List.of("-XX:SharedArchiveFile=" + jar.replaceFirst("jar$", "jsa"), "-jar", jar));
    command.add("run");
    command.addAll(arguments);
    return new ClusterOperator(process(command, log, OperatorProcess.aws(account)), log);
  }

  /** Starts any program that runs an operator, with its arguments. */
  static ClusterOperator of(Path log, List<String> command) throws IOException {
    return new ClusterOperator(process(command, log, OperatorProcess.aws("111111111111")), log);
  }

  /** Starts the node CIDR controller of {@code kube-controller-manager}, without an election. */
  static ClusterOperator manager(Path log, Path kubeconfig, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ApiServer.binaries().resolve("kube-controller-manager").toString());
    command.addAll(
        List.of(
            "--controllers=node-ipam-controller",
            "--allocate-node-cidrs=true",
            "--leader-elect=false",
            "--bind-address=127.0.0.1",
            "--secure-port=" + FreePorts.next(),
            "--cert-dir=" + Files.createTempDirectory("manager"),
            "--kubeconfig=" + kubeconfig,
            "--authentication-kubeconfig=" + kubeconfig,
            "--authorization-kubeconfig=" + kubeconfig));
    command.addAll(arguments);
    return new ClusterOperator(process(command, log, Map.of()), log);
  }

  /**
   * Starts {@code cilium-operator-aws} with a ConfigMap that says {@code ipam: eni}, and no other
   * duties.
   *
   * @param more variables of its environment
   */
  static ClusterOperator cilium(
      Path log, Path kubeconfig, Ec2Emulator.Listening cloud, Map<String, String> more)
      throws IOException {
    Path config = Files.createDirectories(log.resolveSibling("cilium-config"));
    Files.writeString(config.resolve("ipam"), "eni");
    Map<String, String> environment = new HashMap<>(OperatorProcess.aws("111111111111"));
    environment.putAll(more);
    environment.put("AWS_ENDPOINT_URL", cloud.endpoint().toString());
    environment.put(
        "AWS_EC2_METADATA_SERVICE_ENDPOINT", cloud.metadataEndpoint().orElseThrow().toString());
    environment.put("CILIUM_K8S_NAMESPACE", "kube-system");
    List<String> command =
        List.of(
            ApiServer.binaries().resolve("cilium-operator-aws").toString(),
            "--k8s-kubeconfig-path=" + kubeconfig,
            "--k8s-namespace=kube-system",
            "--config-dir=" + config,
            "--cluster-name=example",
            "--limit-ipam-api-qps=20",
            "--identity-allocation-mode=crd",
            "--nodes-gc-interval=0",
            "--unmanaged-pod-watcher-interval=0",
            "--operator-api-serve-addr=127.0.0.1:" + FreePorts.next(),
            "--gops-port=" + FreePorts.next());
    return new ClusterOperator(process(command, log, environment), log);
  }

  private static Process process(List<String> command, Path log, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("AWS_") || name.startsWith("KUBE"));
    builder.environment().putAll(environment);
    return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  /** Blocks until it said so. */
  ClusterOperator awaitLog(String part) {
    Eventually.holds(
        part + " in the log of " + log.getFileName(),
        () -> {
          if (!process.isAlive() && !log().contains(part)) {
            throw new AssertionError("it ended without '" + part + "':\n" + log());
          }
          return log().contains(part);
        });
    return this;
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Blocks until it answers that it is ready, at work or standing by. */
  void awaitReady() throws IOException {
    awaitLog("endpoints=http://");
    HttpRequest ready = request("/readyz");
    Eventually.holds("it is ready", () -> answersOk(ready));
  }

  /** The present answer of {@code /status}. */
  String status() throws IOException, InterruptedException {
    return HTTP.send(request("/status"), HttpResponse.BodyHandlers.ofString()).body();
  }

  private HttpRequest request(String path) throws IOException {
    Matcher port = PORT.matcher(log());
    if (!port.find()) {
      throw new AssertionError("no port in:\n" + log());
    }
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.group(1) + path)).build();
  }

  private static boolean answersOk(HttpRequest request) throws InterruptedException {
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == OK;
    } catch (IOException e) {
      return false; // not yet, on a busy machine
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** SIGTERM; its exit code. */
  int terminate() throws InterruptedException {
    process.destroy();
    return await();
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    await();
  }

  /** Waits for its end by itself; its exit code. */
  int await() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("it did not end");
    }
    return process.exitValue();
  }

  /** SIGSTOP: it stands still and does not know. */
  void pause() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** SIGCONT. */
  void goOn() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
    if (code != 0) {
      throw new IOException("kill " + signal + " ended with " + code);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
