package io.tidemark.it.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.gate.Access.Role;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.it.program.NodeFolder;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.testing.Repository;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@DisplayName("tidemark doctor --provider=azure")
class DoctorTest {
  @TempDir private Path directory;

  private static OperatorProcess.Result doctor(URI endpoint, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "doctor",
                "--provider=azure",
                "--timeout=5m",
                "--azure-cloud=custom",
                "--azure-resource-manager-endpoint=" + endpoint,
                "--azure-authority-host=" + endpoint));
    all.addAll(List.of(more));
    return OperatorProcess.run(Map.of(), all);
  }

  private NodeFolder nodes() {
    NodeFolder folder = new NodeFolder(directory);
    for (String file : List.of("pool-a-0.yaml", "worker-a.yaml")) {
      folder.write(file, Repository.text("examples/azure/nodes/" + file));
    }
    return folder;
  }

  private static void roles(ArmEmulator.Listening listening, Role... roles) {
    listening
        .emulator()
        .handler()
        .use(
            model -> {
              model.access().setRoles(List.of(roles));
              return model;
            });
  }

  @Test
  @DisplayName("checks every action where the nodes need it and changes nothing")
  void granted() throws Exception {
    NodeFolder nodes = nodes();
    var before = nodes.content();
    try (ArmEmulator.Listening listening = ArmEmulator.listen(0, ArmScenarioYaml.example())) {
      OperatorProcess.Result result = doctor(listening.endpoint(), "--nodes=" + directory).ends(0);

      assertThat(result.err()).isEmpty();
      assertThat(result.out())
          .containsPattern("identity +token of an emulator +ok +has a token")
          .containsPattern("Resource Manager at http://127.0.0.1:[0-9]+ +ok +answers")
          .containsPattern("this machine against Azure +ok")
          .containsPattern("virtualMachineScaleSets/virtualMachines/write +granted")
          .containsPattern("Microsoft.Network/networkInterfaces/write +granted")
          .containsPattern("virtualNetworks/subnets/join/action +granted")
          .containsPattern("deny assignments, locks, policies +undecidable")
          .containsPattern("subnet cluster/nodes +ok +4087 of 4091 addresses can be given")
          .containsPattern("writes of scale set instances +warning")
          .contains("\n0 of 19 missing or failed\n");
      assertThat(nodes.content()).isEqualTo(before);
    }
  }

  @Test
  @DisplayName("names what is missing, with the role that grants it, and ends with 3")
  void missing() throws Exception {
    nodes();
    try (ArmEmulator.Listening listening = ArmEmulator.listen(0, ArmScenarioYaml.example())) {
      roles(listening, new Role("*", "/", List.of("*/read"), List.of()));
      OperatorProcess.Result text = doctor(listening.endpoint(), "--nodes=" + directory).ends(3);
      OperatorProcess.Result json =
          doctor(listening.endpoint(), "--nodes=" + directory, "--output=json");

      assertThat(text.out())
          .containsPattern("Microsoft.Network/networkInterfaces/write +missing +not granted on")
          .contains("\n  {\n    \"Name\" : \"Tidemark nodes\",\n", "\n3 of 19 missing or failed\n");
      assertThat(json.exitCode()).isEqualTo(3);
      assertThat(json.out()).contains("\"provider\" : \"azure\"").contains("\"wrong\" : 3");
    }
  }
}
