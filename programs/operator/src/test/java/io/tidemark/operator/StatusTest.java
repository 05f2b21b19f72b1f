package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.operator.Program.Result;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("tidemark status")
class StatusTest {
  private final Manifests manifests;

  StatusTest(@TempDir Path directory) {
    this.manifests = new Manifests(directory);
  }

  private Result status(String... more) {
    return manifests.run("status --provider=mock", more);
  }

  private void filled() {
    manifests
        .with("a.yaml", Manifests.fresh("worker-a"))
        .with("b.yaml", Manifests.node("worker-b", "pre-allocate: 3"));
    manifests.run("run --provider=mock --once");
  }

  @Test
  @DisplayName("tells pool, use and need of every node, and that nobody waits")
  void nodes() {
    filled();

    Result text = status().ends(0);
    JsonNode json = Reports.status(status("--output=json"));

    assertThat(text.out())
        .startsWith("2 nodes: 2 ok\n")
        .contains("NODE      USED  AVAILABLE  NEEDED  EXCESS  INTERFACES  STATE  REASON")
        .contains("worker-a     0          8       0       0           1  ok     -")
        .contains("worker-b     0          3       0       0           1  ok     -");
    assertThat(json.at("/summary/nodes").asInt()).isEqualTo(2);
    assertThat(json.at("/summary/leading").asText()).isEqualTo("alone");
    assertThat(json.at("/summary/ready").asBoolean()).isTrue();
    assertThat(json.at("/nodes/1/name").asText()).isEqualTo("worker-b");
    assertThat(json.at("/nodes/1/plan").asText()).startsWith("idle");
    assertThat(json.at("/nodes/1/numbers").isEmpty()).isFalse();
    assertThat(json.at("/nodes/1/podCapacity").asInt()).isPositive();
    assertThat(json.at("/nodes/1/maxPods").isNull()).as("no kubelet is known").isTrue();
  }

  @Test
  @DisplayName(
      "tells the objects that were refused, with path, problem and remedy; so does /status")
  void refused() throws Exception {
    filled();
    manifests.with("c.yaml", Manifests.node("worker-c", "pre-allocate: -3"));

    Result text = status().ends(3);
    JsonNode json = Reports.status(status("--output=json"));
    Program running =
        manifests
            .start("run --provider=mock --port=0 --log-level=info")
            .awaitErr("An object was refused");
    Eventually.holds(
        "/status tells it", () -> running.ask("/status").body().contains("spec.ipam.pre-allocate"));
    JsonNode told = new ObjectMapper().readTree(running.ask("/status").body());
    Result run = running.stop();

    assertThat(text.out()).contains("refused: ").contains("spec.ipam.pre-allocate");
    for (JsonNode refused : List.of(json.at("/refused/0"), told.at("/refused/0"))) {
      assertThat(refused.path("object").asText()).contains("c.yaml");
      assertThat(refused.path("path").asText()).isEqualTo("spec.ipam.pre-allocate");
      assertThat(refused.path("problem").asText()).contains("-3");
      assertThat(refused.path("remedy").asText()).isNotEmpty();
    }
    assertThat(run.err()).doesNotContain("file was refused");
  }

  @Test
  @DisplayName("tells who waits for a person, for what, and what to do")
  void blocked() {
    filled();
    manifests.with(
        "c.yaml", Manifests.fresh("worker-c").replaceAll("instance-id: .*", "instance-id: \"\""));
    manifests.with("d.yaml", "kind: [");

    assertThat(status().ends(3).out())
        .startsWith("3 nodes: 1 incomplete, 2 ok\n")
        .contains("worker-c: TM-1206 NO_INSTANCE_ID: ", "Wait for the agent")
        .contains("refused: ", "d.yaml");
    JsonNode json = Reports.status(status("--output=json"));
    assertThat(json.at("/summary/blocked/TM-1206").asInt()).isEqualTo(1);
  }
}
