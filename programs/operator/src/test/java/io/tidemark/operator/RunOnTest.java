package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.kubernetes.server.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("run, until it is told to end,")
class RunOnTest {
  private final Manifests manifests;

  RunOnTest(@TempDir Path directory) {
    this.manifests = new Manifests(directory);
  }

  @BeforeEach
  void oneNode() {
    manifests.with("a.yaml", Manifests.fresh("worker-a"));
  }

  private Program start(String... more) throws Exception {
    return manifests
        .start("run --provider=mock --port=0", more)
        .awaitErr("node=worker-a state=ok used=0 available=8");
  }

  @Test
  @DisplayName(
      "answers /metrics, /healthz, /readyz and /status, and logs a line for each change of a node")
  void endpoints() throws Exception {
    Program program = start();

    Eventually.holds("it is healthy", () -> program.ask("/healthz").statusCode() == 200);
    assertThat(program.ask("/readyz").statusCode()).isEqualTo(200);
    assertThat(program.ask("/metrics").statusCode()).isEqualTo(200);
    JsonNode nodes = Reports.status(program.ask("/status").body()).get("nodes");
    assertThat(nodes.get(0).get("name").asText()).isEqualTo("worker-a");
    assertThat(nodes.get(0).get("plan").asText()).startsWith("idle");
    assertThat(program.stop().ends(0).out())
        .contains("worker-a     0          8       0       0           1  ok");
  }

  @Test
  @DisplayName("serves the page at / with the state of /status, and streams do not delay its end")
  void page() throws Exception {
    Program program = start();

    assertThat(program.ask("/").body()).contains("<title>Tidemark</title>");
    assertThat(program.ask("/page").body()).contains("/status / /page.css").contains("/events");
    JsonNode status = Reports.status(program.ask("/status").body());
    try (PageStream stream = PageStream.open(program.awaitPort())) {
      JsonNode snapshot = stream.next("snapshot");
      JsonNode node = snapshot.at("/nodes/0");
      status
          .at("/nodes/0")
          .properties()
          .forEach(
              field -> {
                if (node.has(field.getKey())) {
                  assertThat(node.get(field.getKey())).isEqualTo(field.getValue());
                }
              });
      assertThat(node.get("available").asInt()).isEqualTo(8);
      assertThat(snapshot.at("/facts/cloud/subnets/0/id").asText()).isEqualTo("subnet-a");
      assertThat(snapshot.at("/facts/cloud/requests")).isNotEmpty();
      assertThat(status.at("/cloud/subnets")).isEqualTo(snapshot.at("/facts/cloud/subnets"));

      manifests.with("b.yaml", Manifests.node("worker-b", "pre-allocate: 3"));
      stream.until(
          change ->
              change.at("/nodes/0/name").asText().equals("worker-b")
                  && change.at("/nodes/0/available").asInt() == 3);
      assertThat(program.stop().exitCode()).as("with a stream that does not end").isZero();
    }
  }

  @Test
  @DisplayName("takes up a file that appears, and an edit of one that it wrote")
  void watches() throws Exception {
    Program program = start();

    manifests.with("b.yaml", Manifests.node("worker-b", "pre-allocate: 3"));
    program.awaitErr("node=worker-b state=ok used=0 available=3");
    manifests.with(
        "a.yaml", manifests.read("a.yaml").replace("pre-allocate: 8", "pre-allocate: 10"));
    program.awaitErr("node=worker-a state=ok used=0 available=10");
    program.stop();

    assertThat(manifests.read("a.yaml")).contains("pre-allocate: 10\n");
  }

  @Test
  @DisplayName("forgets a node whose file is deleted")
  void deletes() throws Exception {
    manifests.with("b.yaml", Manifests.fresh("worker-b"));
    Program program = start();
    program.awaitErr("node=worker-b state=ok");

    Files.delete(manifests.path().resolve("b.yaml"));
    program.awaitErr("Node gone. node=worker-b");

    assertThat(program.stop().out()).doesNotContain("worker-b");
  }

  @Test
  @DisplayName(
      "says why a file cannot be read, keeps its node, and takes the file up when it is mended")
  void mended() throws Exception {
    Program program = start();
    String good = manifests.read("a.yaml");

    manifests.with("a.yaml", good.replace("pre-allocate: 8", "pre-allocate: -1"));
    program.awaitErr("path=spec.ipam.pre-allocate");
    program.awaitErr("node=worker-a state=invalid used=0 available=8");
    manifests.with("a.yaml", good.replace("pre-allocate: 8", "pre-allocate: 9"));
    program.awaitErr("node=worker-a state=ok used=0 available=9");

    assertThat(program.stop().exitCode()).isZero();
  }

  @Test
  @DisplayName("keeps a second one away from the same directory")
  void second() throws Exception {
    Program first = start();

    assertThat(manifests.run("run --provider=mock --once").ends(2).err())
        .contains("TM-1104 STORE_IN_USE: ");
    assertThat(first.stop().exitCode()).isZero();
  }

  @Test
  @DisplayName("ends within its bound and says of which change nobody knows the effect")
  void stopsWithUnknown() throws Exception {
    Program program =
        manifests
            .start(
                "run --provider=mock --port=0 --stop-within=1s --log-level=debug",
                "--mock-faults=AssignPrivateIpAddresses=hang-done")
            .awaitErr("Calls. sent={AssignPrivateIpAddresses=1,");

    assertThat(program.stop().ends(1).err())
        .contains("TM-1302 STOP_INCOMPLETE: ", "AssignPrivateIpAddresses for node worker-a");
  }
}
