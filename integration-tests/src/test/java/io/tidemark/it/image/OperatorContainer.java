package io.tidemark.it.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.kubernetes.deploy.DeployedContainer;
import io.tidemark.kubernetes.server.Eventually;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A container of the image under test, as {@code deploy/base} runs it, on the network of this
 * machine. Its {@code /tmp} is a folder of the test.
 */
final class OperatorContainer implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** As many as the machine of the test may have limited itself to. */
  private static final List<String> LIMITS = List.of("--ulimit=nofile=1024", "--ulimit=nproc=4096");

  private final String name;
  private final Path tmp;
  private final Process podman;

  private OperatorContainer(String name, Path tmp, Process podman) {
    this.name = name;
    this.tmp = tmp;
    this.podman = podman;
  }

  /** The image: an OCI layout, which {@code .ci/image/run} makes. */
  static Path image() {
    String image = System.getenv("TIDEMARK_IMAGE");
    if (image == null) {
      throw new IllegalStateException(
          "TIDEMARK_IMAGE is not set; run the tests through .ci/image/run");
    }
    return Path.of(image);
  }

  /** Makes the image known to podman; its id, to be given to {@link #remove}. */
  static String load() throws IOException {
    return output("podman", "pull", "--quiet", "oci:" + image()).strip();
  }

  static void remove(String id) throws IOException {
    String unused = output("podman", "rmi", id);
  }

  /**
   * Starts one.
   *
   * @param id of the loaded image
   * @param folder becomes its {@code /tmp}, and has its log
   * @param moreJava options of the JVM after those of the Deployment
   * @param kubeconfig of the cluster
   */
  static OperatorContainer start(
      String id, Path folder, String moreJava, Path kubeconfig, List<String> arguments)
      throws IOException {
    DeployedContainer deployed = DeployedContainer.read();
    Path tmp = Files.createDirectory(folder.resolve("tmp"));
    Files.setPosixFilePermissions(tmp, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path config = Files.copy(kubeconfig, folder.resolve("kubeconfig"));
    Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));
    String name = "tidemark-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
    List<String> command = new ArrayList<>(List.of("podman", "--runtime=runc", "run", "--rm"));
    command.add("--name=" + name);
    command.add("--network=host");
    command.addAll(LIMITS);
    command.addAll(deployed.podmanOptions());
    command.add("--env=JAVA_TOOL_OPTIONS=" + deployed.javaOptions() + " " + moreJava);
    command.add("--volume=" + tmp + ":/tmp");
    command.add("--volume=" + config + ":/kubeconfig:ro");
    command.add(id);
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    return new OperatorContainer(name, folder, process);
  }

  String log() throws IOException {
    return Files.readString(tmp.resolve("log"));
  }

  /** A file that it wrote to its {@code /tmp}. */
  Path file(String file) {
    return tmp.resolve("tmp").resolve(file);
  }

  /** Blocks until it answers that it is ready. */
  void awaitReady(int port) {
    HttpRequest ready =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz")).build();
    Eventually.holds(
        "it is ready",
        () -> {
          if (!podman.isAlive()) {
            throw new AssertionError("it ended:\n" + log());
          }
          return HTTP.send(ready, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        });
  }

  /** The process of the JVM. */
  ProcessHandle handle() throws IOException {
    String pid = output("podman", "inspect", "--format={{.State.Pid}}", name);
    return ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
  }

  /** SIGTERM; the exit code of the program. */
  int terminate() throws IOException, InterruptedException {
    String unused = output("podman", "kill", "--signal=TERM", name);
    if (!podman.waitFor(1, TimeUnit.MINUTES)) {
      throw new AssertionError("it did not end:\n" + log());
    }
    return podman.exitValue();
  }

  static String output(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + text);
    }
    return text;
  }

  @Override
  public void close() throws IOException {
    if (podman.isAlive()) {
      String unused = output("podman", "kill", name);
      Process unusedEnded = podman.onExit().join();
    }
  }
}
