package io.tidemark.it.agent;

import io.tidemark.daemon.PluginClient;
import io.tidemark.it.program.NodeFolder;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The two commands over one folder, each in a process of its own: an operator with the mock cloud,
 * and an agent whose pools consist of the CIDRs of interfaces.
 */
final class NodePair implements AutoCloseable {
  private static final String NODE = "worker-a";
  private static final String MANIFEST = NODE + ".yaml";
  private static final Pattern ADDRESS = Pattern.compile("\"address\":\"([0-9.]+)/");

  private final NodeFolder nodes;
  private final Path folder;
  private final OperatorProcess operator;
  private @Nullable Process agent;

  /**
   * Starts the operator.
   *
   * @param folder for everything; empty
   */
  NodePair(Path folder) throws IOException {
    this.folder = folder;
    this.nodes = new NodeFolder(Files.createDirectory(folder.resolve("nodes")));
    NodeFolder example = new NodeFolder(Repository.root().resolve("examples/nodes"));
    nodes.write(MANIFEST, example.read(MANIFEST).replace("pre-allocate: 8", "pre-allocate: 4"));
    operator =
        OperatorProcess.start(
            Map.of(),
            List.of(
                "run",
                "--provider=mock",
                "--nodes=" + nodes.path(),
                "--port=0",
                "--release-excess-ips",
                "--excess-ip-release-delay=5s"));
  }

  /** Starts an agent and waits until it can serve. */
  void startAgent() throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.tidemark.daemon.Main",
                "agent",
                "--node=" + NODE,
                "--nodes=" + nodes.path(),
                "--socket=" + socket(),
                "--state=" + folder.resolve("state"),
                "--port=0"));
    command.addAll(
        List.of(
            "--ipam=eni",
            "--interface-allocator=multi-pool",
            "--instance-id=i-0a10000000000000a",
            "--agent-check-interfaces=false",
            "--enable-ipv6=false",
            "--ipam-cilium-node-update-rate=1s",
            "--reclaim-quarantine=20s",
            "--ip-cooldown=0s",
            "--cni-gateway=interface"));
    Path log = folder.resolve("agent.log");
    agent =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(log.toFile())
            .start();
    while (!serves()) {
      if (agent.waitFor(200, TimeUnit.MILLISECONDS)) {
        throw new AssertionError("the agent ended: " + Files.readString(log));
      }
    }
  }

  private Path socket() {
    return folder.resolve("agent.sock");
  }

  private boolean serves() {
    try {
      return ask("STATUS", 0).equals("200 ");
    } catch (IOException e) {
      return false; // nobody listens yet
    }
  }

  /** Ends the agent as SIGKILL does. */
  void killAgent() {
    Process running = agent;
    if (running != null) {
      running.destroyForcibly().onExit().join();
    }
  }

  /** The address of a pod; waits until there is one. */
  String add(int pod) throws IOException {
    while (true) {
      String answer = ask("ADD", pod);
      Matcher address = ADDRESS.matcher(answer);
      if (address.find()) {
        return address.group(1);
      }
      if (!answer.contains("\"code\":11,")) {
        throw new AssertionError(answer);
      }
    }
  }

  void delete(int pod) throws IOException {
    String answer = ask("DEL", pod);
    if (!answer.startsWith("200 ")) {
      throw new AssertionError(answer);
    }
  }

  /** The addresses that the operator has attached, with their interfaces. */
  Map<String, String> pool() {
    return nodes.pool(MANIFEST);
  }

  /** The node's manifest. */
  String manifest() {
    return nodes.read(MANIFEST);
  }

  private String ask(String command, int pod) throws IOException {
    String request =
        "TIDEMARK-CNI/1\nCNI_COMMAND=%s\nCNI_CONTAINERID=container-%d\nCNI_NETNS=/x\nCNI_IFNAME=eth0\n\n{\"cniVersion\":\"1.1.0\",\"name\":\"pods\",\"ipam\":{\"type\":\"tidemark-ipam\"}}"
            .formatted(command, pod);
    return PluginClient.ask(socket(), request);
  }

  @Override
  public void close() {
    killAgent();
    operator.close();
  }
}
