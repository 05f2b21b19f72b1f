package io.tidemark.it.image;

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

  /** Lets any user write to a folder. */
  static Path allowAll(Path folder) throws IOException {
    return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  /**
   * The command that runs a container as {@code deploy/base} restricts it, to be completed.
   *
   * @param tmp becomes its {@code /tmp}
   * @param moreJava options of the JVM after those of the Deployment
   */
  static List<String> restricted(Path tmp, String moreJava) throws IOException {
    DeployedContainer deployed = DeployedContainer.read();
    List<String> command = new ArrayList<>(List.of("podman", "--runtime=runc", "run", "--rm"));
    command.addAll(LIMITS);
    command.addAll(deployed.podmanOptions());
    command.add("--env=JAVA_TOOL_OPTIONS=" + deployed.javaOptions() + " " + moreJava);
    command.add("--volume=" + tmp + ":/tmp");
    return command;
  }

  /**
   * Starts one.
   *
   * @param image of this machine's architecture
   * @param folder becomes its {@code /tmp}, and has its log
   * @param moreJava options of the JVM after those of the Deployment
   * @param kubeconfig of the cluster
   */
  static OperatorContainer start(
      LoadedImage image, Path folder, String moreJava, Path kubeconfig, List<String> arguments)
      throws IOException {
    Path tmp = allowAll(Files.createDirectory(folder.resolve("tmp")));
    Path config = Files.copy(kubeconfig, folder.resolve("kubeconfig"));
    Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));
    String name = "tidemark-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
    List<String> command = restricted(tmp, moreJava);
    command.add("--name=" + name);
    command.add("--network=host");
    command.add("--volume=" + config + ":/kubeconfig:ro");
    command.add(image.id());
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
    String pid = LoadedImage.output("podman", "inspect", "--format={{.State.Pid}}", name);
    return ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
  }

  /** SIGTERM; the exit code of the program. */
  int terminate() throws IOException, InterruptedException {
    LoadedImage.output("podman", "kill", "--signal=TERM", name);
    if (!podman.waitFor(1, TimeUnit.MINUTES)) {
      throw new AssertionError("it did not end:\n" + log());
    }
    return podman.exitValue();
  }

  @Override
  public void close() throws IOException {
    if (podman.isAlive()) {
      LoadedImage.output("podman", "kill", name);
      podman.onExit().join();
    }
  }
}
