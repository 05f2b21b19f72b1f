package io.tidemark.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.program.console.Console;
import io.tidemark.testing.Hang;
import io.tidemark.testing.Repository;
import io.tidemark.time.StopSignal;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;

@Timeout(5 * Hang.SECONDS)
@DisplayName("deploy/agent runs the program as it is")
class DeployedAgentTest {
  private static final String PLUGINS = "/opt/cni/bin";
  private static final String PLUGIN = PLUGINS + "/tidemark-ipam";

  @TempDir private Path folder;

  private static final PodSpec POD =
      new KubernetesSerialization()
          .unmarshal(Repository.text("deploy/agent/daemonset.yaml"), DaemonSet.class)
          .getSpec()
          .getTemplate()
          .getSpec();

  private static Container agent() {
    return POD.getContainers().get(0);
  }

  /** The folder of the host that is mounted there. */
  private static String host(Container container, String place) {
    String name =
        container.getVolumeMounts().stream()
            .filter(each -> each.getMountPath().equals(place))
            .map(VolumeMount::getName)
            .findFirst()
            .orElseThrow();
    return POD.getVolumes().stream()
        .filter(each -> each.getName().equals(name))
        .map(Volume::getHostPath)
        .findFirst()
        .orElseThrow()
        .getPath();
  }

  /** Runs a command of a container, some of its paths being others; its output. */
  private String run(List<String> command, Map<String, Path> paths) throws Exception {
    Path out = folder.resolve("out");
    List<String> here =
        command.stream()
            .map(
                word -> {
                  String text = word;
                  for (Map.Entry<String, Path> each : paths.entrySet()) {
                    text = text.replace(each.getKey(), each.getValue().toString());
                  }
                  return text;
                })
            .toList();
    Process process =
        new ProcessBuilder(here).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor(Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(out)).isZero();
    return Files.readString(out);
  }

  @Test
  @DisplayName("socket and state are on the host, where the settings and the plugin have them")
  void folders() {
    String socket = AgentKey.SOCKET.defaultText().orElseThrow();
    String state = AgentKey.STATE.defaultText().orElseThrow();
    String run = socket.substring(0, socket.lastIndexOf('/'));

    assertThat(host(agent(), run)).isEqualTo(run);
    assertThat(host(agent(), state)).isEqualTo(state);
    assertThat(Repository.text("programs/daemon/shim/main.go")).contains('"' + socket + '"');
  }

  @Test
  @DisplayName("its command line and an empty folder of settings are accepted")
  void commandLine() throws Exception {
    Path settings = Files.createDirectory(folder.resolve("settings"));
    Files.writeString(
        folder.resolve("node.yaml"),
        """
        {apiVersion: cilium.io/v2, kind: CiliumNode, metadata: {name: n1},
         spec: {ipam: {podCIDRs: [10.1.0.0/24]}}}
        """);
    String config = "--config-dir=/etc/tidemark/agent";
    assertThat(agent().getArgs()).startsWith("agent", "--node=$(NODE_NAME)").contains(config);
    AgentRun run = new AgentRun(folder);
    run.serve(
        Stream.concat(
                agent().getArgs().stream().skip(2),
                Stream.of("--nodes=" + folder.resolve("node.yaml")))
            .map(word -> word.equals(config) ? "--config-dir=" + settings : word)
            .toArray(String[]::new));
    assertThat(run.get(agent().getReadinessProbe().getHttpGet().getPath()))
        .isEqualTo("200 ready\n");
    String health = agent().getLivenessProbe().getHttpGet().getPath();
    Eventually.holds("it is healthy", () -> run.get(health).equals("200 ok\n"));
    run.end();
  }

  @Test
  @DisplayName("its probes ask the port and the address that the program serves by default")
  void probe() {
    PrintStream none = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
    CommandSpec agent =
        CommandSpec.forAnnotatedObject(
            new AgentCommand(new Console(none, none, false), new StopSignal(), Map.of()));

    for (HTTPGetAction probe :
        List.of(
            agent().getReadinessProbe().getHttpGet(), agent().getLivenessProbe().getHttpGet())) {
      assertThat(agent.findOption("--port").defaultValue())
          .isEqualTo(probe.getPort().getIntVal().toString());
      assertThat(probe.getHost()).isEqualTo("127.0.0.1");
    }
    assertThat(agent.findOption("--listen").defaultValue()).isEqualTo("localhost");
    assertThat(POD.getHostNetwork()).isTrue();
    assertThat(agent().getArgs()).noneMatch(each -> each.startsWith("--port"));
  }

  private Path script(String body) throws IOException {
    Path file = Files.writeString(folder.resolve("plugin"), "#!/bin/sh\n" + body + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  @Test
  @Tag("process")
  @DisplayName("the plugin gets into the runtime's folder as a whole, also over an older one")
  void plugin() throws Exception {
    Container install = POD.getInitContainers().get(0);
    String mounted = "/host" + PLUGINS;
    assertThat(host(install, mounted)).isEqualTo(PLUGINS);
    Path target = Files.createDirectory(folder.resolve("bin"));
    Path installed = target.resolve("tidemark-ipam");
    Files.writeString(installed, "older");
    Path ours = script("echo ours");

    // The longer path first: the shorter one is a part of it.
    List<String> inFolder =
        install.getCommand().stream()
            .map(word -> word.replace(mounted, target.toString()))
            .toList();
    assertThat(run(inFolder, Map.of(PLUGIN, ours))).isEmpty();

    assertThat(installed).hasSameTextualContentAs(ours).isExecutable();
    try (Stream<Path> files = Files.list(target)) {
      assertThat(files).containsExactly(installed);
    }
  }
}
