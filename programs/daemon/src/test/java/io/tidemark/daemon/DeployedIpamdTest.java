package io.tidemark.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
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
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@DisplayName("deploy/ipamd runs the program as it is")
class DeployedIpamdTest {
  @TempDir private Path folder;

  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  private static final PodSpec POD =
      YAML.unmarshal(Repository.text("deploy/ipamd/daemonset.yaml"), DaemonSet.class)
          .getSpec()
          .getTemplate()
          .getSpec();

  private static Container ipamd() {
    return POD.getContainers().get(0);
  }

  private static String configuration() {
    ConfigMap map = YAML.unmarshal(Repository.text("deploy/ipamd/network.yaml"), ConfigMap.class);
    return Objects.requireNonNull(map.getData().get("10-aws.conflist"));
  }

  private static String folderOf(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }

  @Test
  @DisplayName("socket and checkpoint are on the host, in the folder that plugins expect")
  void folders() {
    String run = folderOf(IpamdKey.SOCKET.defaultText().orElseThrow());
    assertThat(folderOf(IpamdKey.CHECKPOINT.defaultText().orElseThrow())).isEqualTo(run);
    Volume volume = POD.getVolumes().get(0);
    assertThat(volume.getHostPath().getPath()).isEqualTo(run);
    assertThat(ipamd().getVolumeMounts().get(0).getName()).isEqualTo(volume.getName());
    assertThat(ipamd().getVolumeMounts().get(0).getMountPath()).isEqualTo(run);
    assertThat(POD.getHostNetwork()).isTrue();
  }

  @Test
  @DisplayName("its command line is accepted, and its probes ask where health is always served")
  void commandLine() {
    PrintStream none = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
    IpamdCommand command =
        new IpamdCommand(new Console(none, none, false), new StopSignal(), Map.of());
    List<String> args = ipamd().getArgs();
    assertThat(args.get(0)).isEqualTo("ipamd");
    assertThat(
            new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(args.subList(1, args.size()).toArray(String[]::new))
                .unmatched())
        .isEmpty();
    ContainerPort port = ipamd().getPorts().get(0);
    assertThat(":" + port.getContainerPort())
        .isEqualTo(IpamdKey.METRICS.defaultText().orElseThrow());
    for (HTTPGetAction probe :
        List.of(
            ipamd().getReadinessProbe().getHttpGet(), ipamd().getLivenessProbe().getHttpGet())) {
      assertThat(probe.getHost()).isEqualTo("127.0.0.1");
      assertThat(probe.getPort().getStrVal()).isEqualTo(port.getName());
    }
  }

  @Test
  @Tag("process")
  @DisplayName("the init container installs the plugin and its configuration, each whole")
  void installed() throws IOException, InterruptedException {
    JsonNode network = new ObjectMapper().readTree(configuration());
    assertThat(network.get("plugins").get(0).get("type").asText()).isEqualTo("aws-cni");
    Path image = Files.createDirectories(folder.resolve("image"));
    Path host = Files.createDirectories(folder.resolve("host"));
    Files.writeString(image.resolve("aws-cni"), "plugin");
    Files.writeString(image.resolve("10-aws.conflist"), configuration());
    List<String> command =
        POD.getInitContainers().get(0).getCommand().stream()
            .map(
                word ->
                    word.replaceAll("/host/\\S+(bin|net\\.d)(?=[ \n])", host.toString())
                        .replace("/opt/cni/bin/", image + "/")
                        .replace("/etc/tidemark/network/", image + "/"))
            .toList();
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor(Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(host.resolve("aws-cni")).isExecutable().hasContent("plugin");
    assertThat(host.resolve("10-aws.conflist")).hasContent(configuration().strip());
    assertThat(host.toFile().list()).hasSize(2);
  }
}
