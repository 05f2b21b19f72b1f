package io.tidemark.it.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.it.program.NodeFolder;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@DisplayName("tidemark --provider=azure with examples/azure and the emulator")
class AzureMainJobTest {
  private static final String MACHINE = "worker-a.yaml";
  private static final String INSTANCE = "pool-a-0.yaml";
  private static final String MARKED = "marked-for-release";

  @TempDir private Path directory;
  @AutoClose private ArmEmulator.Listening azure;
  private NodeFolder nodes;

  @BeforeEach
  void setUp() throws IOException {
    azure = ArmEmulator.listen(0, ArmScenarioYaml.example());
    nodes = NodeFolder.copy("examples/azure/nodes", directory);
  }

  /** The example's settings, where the emulator listens. */
  private List<String> arguments(String words, String... more) {
    List<String> all = new ArrayList<>(List.of(words.split(" ")));
    all.add("--provider=azure");
    all.add("--nodes=" + directory);
    all.add("--config=" + Repository.root().resolve("examples/azure/settings.yaml"));
    all.add("--azure-resource-manager-endpoint=" + azure.endpoint());
    all.add("--azure-authority-host=" + azure.endpoint());
    all.addAll(List.of(more));
    return all;
  }

  private OperatorProcess.Result runOnce(String... more) {
    OperatorProcess.Result result =
        OperatorProcess.run(OperatorProcess.AZURE, arguments("run --once --timeout=5m", more))
            .ends(0);
    return result;
  }

  /** Every address and block that Azure has on the interface of a node. */
  private Set<String> really(String interfaceId) {
    Document state = azure.emulator().handler().use(model -> model.state());
    TreeSet<String> all = new TreeSet<>();
    for (Document each : state.objects("interfaces")) {
      if (each.text("id").orElse("").equalsIgnoreCase(interfaceId)) {
        ((List<?>) Objects.requireNonNull(each.get("addresses")))
            .forEach(one -> all.add((String) one));
      }
    }
    return all;
  }

  /** The pool of a node is what Azure has on its interface, but for the primary address. */
  private void poolIsReal(String file, int size) {
    SortedMap<String, String> pool = nodes.pool(file);
    assertThat(pool).hasSize(size);
    assertThat(new TreeSet<>(pool.values())).hasSize(1);
    assertThat(really(pool.values().iterator().next()))
        .hasSize(size + 1)
        .containsAll(pool.keySet());
  }

  @Test
  @DisplayName("run --once fills the pools with what Azure really gave; again it changes nothing")
  void mainJob() {
    OperatorProcess.Result first = runOnce();
    assertThat(first.err()).isEmpty();
    assertThat(first.out())
        .contains("pool-a-0     0          8       0       0           1  ok     -\n")
        .contains("worker-a     0          8       0       0           1  ok     -\n")
        .contains("Interfaces.CreateOrUpdate 1", "VirtualMachineScaleSetVMs.Update 1");
    poolIsReal(MACHINE, 8);
    poolIsReal(INSTANCE, 8);

    SortedMap<String, String> before = nodes.content();
    assertThat(runOnce().out()).doesNotContain("Update").doesNotContain("Create");
    assertThat(nodes.content()).isEqualTo(before);
  }

  @Test
  @Tag("long")
  @DisplayName("pools grow with their watermarks, and shrink by the handshake with the agent")
  void growthAndRelease() {
    runOnce();
    replace("pre-allocate: 8", "pre-allocate: 14");
    runOnce();
    poolIsReal(MACHINE, 14);
    poolIsReal(INSTANCE, 14);

    replace("pre-allocate: 14", "pre-allocate: 10");
    String[] releasing = {"--release-excess-ips", "--excess-ip-release-delay=300ms"};
    runOnce(releasing);
    assertThat(nodes.read(MACHINE)).contains(": " + MARKED);
    assertThat(nodes.read(INSTANCE)).contains(": " + MARKED);
    replace(": " + MARKED, ": ready-for-release");
    runOnce(releasing);
    poolIsReal(MACHINE, 10);
    poolIsReal(INSTANCE, 10);
  }

  private void replace(String old, String changed) {
    for (String file : List.of(MACHINE, INSTANCE)) {
      nodes.write(file, nodes.read(file).replace(old, changed));
    }
  }
}
