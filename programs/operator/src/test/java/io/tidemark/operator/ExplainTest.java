package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.operator.Program.Result;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("explain")
class ExplainTest {
  private final Manifests manifests;

  ExplainTest(@TempDir Path directory) {
    this.manifests = new Manifests(directory);
  }

  @BeforeEach
  void oneNode() {
    manifests.with("a.yaml", Manifests.fresh("worker-a"));
  }

  private Result explain(String... more) {
    return manifests.run("explain --provider=mock", more);
  }

  @Test
  @DisplayName("tells the numbers, the plan and that nothing is wrong, and changes nothing")
  void fresh() {
    Map<String, String> before = manifests.content();

    Result result = explain("worker-a").ends(0);

    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .startsWith("node worker-a is filling\n")
        .containsPattern("pre-allocate +8\n")
        .containsPattern("needed +8 = 8 - 0")
        .containsPattern("plan: allocate 8 addresses on eni-[0-9a-f]+ from subnet-a\n")
        .contains("what you can do: nothing is wrong");
    assertThat(manifests.content()).isEqualTo(before);
  }

  @Test
  @DisplayName("explains a healthy node, too")
  void healthy() {
    manifests.run("run --provider=mock --once");

    Result result = explain("worker-a", "--output=json");

    JsonNode explanation = Reports.explanation(result);
    assertThat(explanation.get("state").asText()).isEqualTo("ok");
    assertThat(explanation.get("plan").asText()).isEqualTo("idle: nothing to do");
    assertThat(explanation.get("numbers").get("available").asText()).isEqualTo("8");
    assertThat(explanation.get("reason").isNull()).isTrue();
  }

  @Test
  @DisplayName("tells what stands in the way and what a person can do")
  void blocked() {
    manifests.with("a.yaml", Manifests.subnetless("worker-a"));

    assertThat(explain("worker-a").ends(0).out())
        .startsWith("node worker-a is blocked\n")
        .contains("blocked: TM-1202 NO_SUBNET: no subnet matches VPC vpc-1")
        .contains("what you can do: Select a subnet with free addresses");
    assertThat(Reports.explanation(explain("worker-a", "-ojson")).get("reason").asText())
        .isEqualTo("TM-1202");
  }

  @Test
  @DisplayName("heeds the settings: with release on, surplus is part of the plan")
  void settings() {
    manifests.run("run --provider=mock --once");
    manifests.with(
        "a.yaml", manifests.read("a.yaml").replace("pre-allocate: 8", "pre-allocate: 2"));

    assertThat(explain("worker-a").out()).contains("plan: idle");
    assertThat(explain("worker-a", "--release-excess-ips").out())
        .containsPattern("excess +6")
        .contains("plan: release 6 addresses");
  }

  @Test
  @DisplayName("of an unknown node ends with 2 and tells the nearest names")
  void unknown() {
    manifests.with("b.yaml", Manifests.fresh("worker-b"));

    Result result = explain("worker-x").ends(2);

    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("TM-1023 NODE_UNKNOWN: there is no node 'worker-x'", "worker-a, worker-b");
  }

  @Test
  @DisplayName("of a node whose manifest is refused ends with 3 and says why")
  void refused() {
    manifests.with(
        "a.yaml", Manifests.fresh("worker-a").replace("pre-allocate: 8", "pre-allocate: -8"));

    assertThat(explain("worker-a").ends(3).err()).contains("spec.ipam.pre-allocate");
  }
}
