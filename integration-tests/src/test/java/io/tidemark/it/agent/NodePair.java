package io.tidemark.it.agent;

import io.tidemark.it.program.NodeFolder;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
  private @Nullable AgentProcess agent;

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
    agent =
        AgentProcess.start(
            folder,
            OperatorProcess.java(
                "io.tidemark.daemon.Main",
                List.of(
                    "agent",
                    "--nodes=" + nodes.path(),
                    "--state=" + folder.resolve("state"),
                    "--port=0",
                    "--ipam=eni",
                    "--interface-allocator=multi-pool",
                    "--instance-id=i-0a10000000000000a",
                    "--agent-check-interfaces=false",
                    "--enable-ipv6=false",
                    "--ipam-cilium-node-update-rate=1s",
                    "--reclaim-quarantine=20s",
                    "--ip-cooldown=0s",
                    "--cni-gateway=interface")));
  }

  /** Ends the agent as SIGKILL does. */
  void killAgent() {
    AgentProcess running = agent;
    if (running != null) {
      running.kill();
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
    return AgentProcess.ask(folder.resolve("agent.sock"), command, pod);
  }

  @Override
  public void close() {
    killAgent();
    operator.close();
  }
}
