package io.tidemark.it.monitoring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.daemon.ipamd.grpc.RpcClient;
import io.tidemark.daemon.ipamd.grpc.Wire;
import io.tidemark.it.agent.AgentProcess;
import io.tidemark.it.program.NodeFolder;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.FreePorts;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The four programs with metrics, each in a process of its own on loopback: the operator with the
 * mock cloud, the assignment of pod CIDRs, an agent and ipamd. All end with it.
 */
final class RunningPrograms implements AutoCloseable {
  private static final String OPERATOR = "io.tidemark.operator.Main";
  private static final String NODE = "io.tidemark.daemon.Main";

  private final Path folder;
  private final List<Process> processes = new ArrayList<>();
  private final Map<String, Integer> ports = new LinkedHashMap<>();

  private RunningPrograms(Path folder) {
    this.folder = folder;
  }

  /** Starts them; pods come and go on the nodes of agent and ipamd. */
  static RunningPrograms start(Path folder) throws IOException {
    RunningPrograms programs = new RunningPrograms(folder);
    try {
      programs.startOperators();
      programs.startAgent();
      programs.startIpamd();
      programs.usePods();
      return programs;
    } catch (IOException | RuntimeException | AssertionError e) {
      String logs = programs.logs();
      programs.close();
      throw new AssertionError(logs, e);
    }
  }

  /** Where each program publishes its metrics, by its name. */
  Map<String, Integer> ports() {
    return ports;
  }

  private void startOperators() throws IOException {
    operator("operator", "examples/nodes", "--provider=mock");
    operator(
        "node-cidr",
        "examples/cluster-nodes",
        "--ipam=kubernetes",
        "--allocate-node-cidrs",
        "--cluster-cidr=10.244.0.0/16");
    operator("node-id", "examples/cluster-nodes", "--ipam=node-id");
  }

  private void operator(String name, String examples, String... options) throws IOException {
    Path nodes = Files.createDirectories(folder.resolve(name));
    NodeFolder.copy(examples, nodes);
    Stream<String> place = Stream.of("run", "--nodes=" + nodes, "--port=" + port(name));
    program(name, OPERATOR, Stream.concat(place, Arrays.stream(options)).toArray(String[]::new));
  }

  private void startAgent() throws IOException {
    int port = port("agent");
    program(
        "agent",
        NODE,
        "agent",
        "--node=worker-a",
        "--nodes=" + Repository.root().resolve("examples/agent/nodes"),
        "--socket=" + folder.resolve("agent.sock"),
        "--state=" + folder.resolve("agent-state"),
        "--port=" + port);
  }

  private void startIpamd() throws IOException {
    Path interfaces = folder.resolve("interfaces.json");
    Files.writeString(
        interfaces,
        "{\"interfaces\":[{\"id\":\"eni-1\",\"device\":0,\"addresses\":[\"10.0.0.5\",\"10.0.0.6\"]}]}");
    int port = port("ipamd");
    program(
        "ipamd",
        NODE,
        "ipamd",
        "--interfaces=" + interfaces,
        "--ipamd-socket=" + folder.resolve("ipamd.sock"),
        "--checkpoint-path=" + folder.resolve("ipam.json"),
        "--check-pod-links=false",
        "--disable-introspection=true",
        "--metrics-address=127.0.0.1:" + port);
  }

  private void usePods() {
    Path agent = folder.resolve("agent.sock");
    Eventually.holds(
        "the agent serves", () -> AgentProcess.ask(agent, "ADD", 1).startsWith("200 "));
    Eventually.holds(
        "a pod is deleted", () -> AgentProcess.ask(agent, "DEL", 1).startsWith("200 "));
    Eventually.holds("ipamd serves", () -> Files.exists(folder.resolve("ipamd.sock")));
    try (RpcClient client = RpcClient.of(folder.resolve("ipamd.sock"))) {
      for (String each : List.of("a", "b")) {
        assertThat(Wire.address(client.call(RpcClient.ADD, Wire.addition(each))))
            .startsWith("10.0.0.");
      }
      assertThat(client.call(RpcClient.ADD, Wire.addition("c")))
          .as("there are two addresses")
          .isEmpty();
      byte[] released = client.call(RpcClient.DEL, Wire.removal("a"));
      assertThat(Wire.address(released)).startsWith("10.0.0.");
    }
  }

  private int port(String name) throws IOException {
    int port = FreePorts.next();
    ports.put(name, port);
    return port;
  }

  private void program(String name, String main, String... arguments) throws IOException {
    start(name, OperatorProcess.java(main, List.of(arguments)));
  }

  /** Starts a further process, which ends with the others. */
  void start(String name, List<String> command) throws IOException {
    processes.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log(name).toFile())
            .start());
  }

  private Path log(String name) {
    return folder.resolve(name + ".log");
  }

  /** The last words of all. */
  String logs() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path each : files.filter(file -> file.toString().endsWith(".log")).toList()) {
        String text = Files.readString(each, UTF_8);
        all.append(each.getFileName()).append(":\n");
        all.append(text.substring(Math.max(0, text.length() - 2000))).append('\n');
      }
    }
    return all.toString();
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    for (Process each : processes) {
      each.onExit().join();
    }
  }
}
