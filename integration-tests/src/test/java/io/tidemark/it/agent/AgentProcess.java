package io.tidemark.it.agent;

import io.tidemark.daemon.PluginClient;
import io.tidemark.it.program.ProcessUse;
import io.tidemark.testing.Repository;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code ./tidemark agent} in a process of its own, and a client of its socket. Thread-safe. */
public final class AgentProcess implements AutoCloseable {
  private static final String CONFIG =
      "{\"cniVersion\":\"1.1.0\",\"name\":\"pods\",\"type\":\"ptp\",\"ipam\":{\"type\":\"tidemark-ipam\"}}";

  private final Process process;
  private final Path folder;
  private final long startNanos = SystemTime.instance().nanos();

  private AgentProcess(Path folder, List<String> command) throws IOException {
    this.folder = folder;
    List<String> words = new ArrayList<>(command);
    words.add("--node=worker-a");
    words.add("--socket=" + folder.resolve("agent.sock"));
    this.process =
        new ProcessBuilder(words)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(folder.resolve("log").toFile())
            .start();
  }

  /**
   * Starts one and waits until it serves.
   *
   * @param folder of its own and empty, for its socket and its state; goes with it
   */
  static AgentProcess start(Path folder) throws IOException, InterruptedException {
    return start(
        folder,
        List.of(
            Repository.root().resolve("tidemark").toString(),
            "agent",
            "--nodes=" + Repository.root().resolve("examples/agent/nodes"),
            "--state=" + folder));
  }

  /** The same by any command, to which node and socket are added. */
  static AgentProcess start(Path folder, List<String> command)
      throws IOException, InterruptedException {
    AgentProcess agent = new AgentProcess(folder, command);
    while (!agent.serves()) {
      if (agent.process.waitFor(2, TimeUnit.MILLISECONDS)) {
        throw new IOException("it ended: " + Files.readString(folder.resolve("log")));
      }
    }
    return agent;
  }

  private boolean serves() {
    try {
      return ask("STATUS", 0).equals("200 ");
    } catch (IOException e) {
      return false; // nobody listens yet
    }
  }

  long sinceStartNanos() {
    return SystemTime.instance().nanos() - startNanos;
  }

  ProcessUse use() throws IOException {
    return ProcessUse.of(process.toHandle());
  }

  /** The state on disk. */
  String state() throws IOException {
    return Files.readString(folder.resolve("attachments.json"));
  }

  /** The answer to a request about a pod, as the plugin gets it. */
  String ask(String command, int pod) throws IOException {
    return ask(folder.resolve("agent.sock"), command, pod);
  }

  /** The same of an agent that somebody else has started. */
  public static String ask(Path socket, String command, int pod) throws IOException {
    String request =
        "TIDEMARK-CNI/1\nCNI_COMMAND=%s\nCNI_CONTAINERID=container-%d\nCNI_NETNS=/run/netns/%d\nCNI_IFNAME=eth0\nCNI_ARGS=K8S_POD_NAMESPACE=default;K8S_POD_NAME=pod-%d\n\n%s"
            .formatted(command, pod, pod, pod, CONFIG);
    return PluginClient.ask(socket, request);
  }

  /** Ends it as SIGKILL does. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Kills it and deletes its folder. */
  @Override
  public void close() throws IOException {
    kill();
    ProgramFigures.delete(folder);
  }
}
