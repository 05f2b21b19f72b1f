package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.operator.Program.Result;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("run --dry-run")
class DryRunTest {
  @TempDir private Path directory;

  @Test
  @DisplayName("prints what would be done next for each node, and changes nothing")
  void plans() {
    Manifests manifests =
        new Manifests(directory)
            .with("a.yaml", Manifests.fresh("worker-a"))
            .with("b.yaml", Manifests.node("worker-b", "min-allocate: 20"));
    Map<String, String> before = manifests.content();

    assertThat(manifests.run("run --provider=mock --dry-run").ends(0).out())
        .contains("worker-a     0          0       8       0           1  filling")
        .containsPattern("worker-a: plan: allocate 8 addresses on eni-[0-9a-f]+ from subnet-a")
        .contains("worker-b: plan: allocate 20 addresses")
        .doesNotContain("AssignPrivateIpAddresses");
    assertThat(manifests.content()).isEqualTo(before);
  }

  @Test
  @DisplayName("adds the plans to the report for programs")
  void json() {
    Manifests manifests = new Manifests(directory).with("a.yaml", Manifests.fresh("worker-a"));

    Result result = manifests.run("run --provider=mock --dry-run --output=json");

    JsonNode node = Reports.node(result, "worker-a");
    assertThat(node.get("plan").asText()).startsWith("allocate 8 addresses on eni-");
    assertThat(node.get("needed").asInt()).isEqualTo(8);
    assertThat(Reports.calls(result))
        .containsOnlyKeys("DescribeNetworkInterfaces", "DescribeSubnets");
  }

  @Test
  @DisplayName("takes no lock: an operator may run on the same directory")
  void noLock() throws Exception {
    Manifests manifests = new Manifests(directory).with("a.yaml", Manifests.fresh("worker-a"));
    Program operator = manifests.start("run --provider=mock --port=0");
    operator.awaitErr("node=worker-a state=ok");

    manifests.run("run --provider=mock --dry-run").ends(0);

    assertThat(operator.stop().exitCode()).isZero();
  }
}
