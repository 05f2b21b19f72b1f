package io.tidemark.it.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.it.program.NodeFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("image")
@DisplayName("The operator's image for arm64, run by qemu")
class Arm64ImageTest {
  @AutoClose private static LoadedImage image;

  @TempDir private Path folder;

  @BeforeAll
  static void load() throws Exception {
    image = LoadedImage.of("arm64");
  }

  @Test
  @DisplayName("has an SBOM of the jar's libraries, the runtime and the base's packages")
  void sbom() throws Exception {
    ImageSbomCheck.check(image, "arm64");
  }

  @Test
  @DisplayName("supplies the nodes of a folder, most of its classes from its archive")
  void once() throws Exception {
    NodeFolder nodes =
        NodeFolder.copy("examples/nodes", Files.createDirectory(folder.resolve("nodes")));
    OperatorContainer.allowAll(nodes.path());
    Path tmp = OperatorContainer.allowAll(Files.createDirectory(folder.resolve("tmp")));

    List<String> entrypoint = new ArrayList<>(List.of("/emulator", "-cpu", "cortex-a72"));
    entrypoint.addAll(image.entrypoint());
    List<String> command =
        OperatorContainer.restricted(tmp, LoadedClasses.logTo("/tmp/classes.log"));
    command.add("--network=none");
    command.add("--volume=/usr/bin/qemu-aarch64-static:/emulator:ro");
    command.add("--entrypoint=" + new ObjectMapper().writeValueAsString(entrypoint));
    command.add("--volume=" + nodes.path() + ":/nodes");
    command.add(image.id());
    command.addAll(List.of("run", "--provider=mock", "--nodes=/nodes", "--once"));
    String log = LoadedImage.output(command.toArray(String[]::new));

    assertThat(nodes.pool("worker-a.yaml")).as(log).hasSize(8);
    LoadedClasses loaded = LoadedClasses.of(tmp.resolve("classes.log"));
    System.out.println("image for arm64: " + loaded);
    assertThat(loaded.archivedPercent()).as("%% of %d", loaded.all()).isGreaterThan(70);
  }
}
