package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.operator.Program.Result;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("run --once")
class RunOnceTest {
  private final Path directory;
  private final Manifests manifests;

  RunOnceTest(@TempDir Path directory) {
    this.directory = directory;
    this.manifests = new Manifests(directory);
  }

  @BeforeEach
  void twoNodes() {
    manifests
        .with("a.yaml", Manifests.fresh("worker-a"))
        .with("b.yaml", Manifests.node("worker-b", "min-allocate: 12"));
  }

  private Result runOnce(String... more) {
    return Program.run(Program.arguments("run --provider=mock --once", manifests.option(), more));
  }

  @Test
  @DisplayName("brings fresh nodes to their water marks and writes pool and status back")
  void reachesWaterMarks() {
    Result result = runOnce();

    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
    assertThat(result.out())
        .startsWith("NODE      USED  AVAILABLE  NEEDED  EXCESS  INTERFACES  STATE  REASON\n")
        .contains("worker-a     0          8       0       0           1  ok     -\n")
        .contains("worker-b     0         12       0       0           2  ok     -\n")
        .contains("calls: AssignPrivateIpAddresses ");
    assertThat(manifests.read("a.yaml"))
        .startsWith("# worker-a\napiVersion: cilium.io/v2\n")
        .contains("    pre-allocate: 8\n")
        .contains("    pool:\n")
        .contains("status:\n  eni:\n    enis:\n");
  }

  @Test
  @DisplayName("changes no byte the second time")
  void secondRun() {
    runOnce();
    Map<String, String> first = manifests.content();

    Result second = runOnce();

    assertThat(second.exitCode()).isZero();
    assertThat(manifests.content()).isEqualTo(first);
    assertThat(second.out()).doesNotContain("AssignPrivateIpAddresses");
  }

  @Test
  @DisplayName("leaves no lock behind")
  void noLock() {
    runOnce();

    assertThat(directory).isDirectoryNotContaining(file -> file.toString().contains("lock"));
  }
}
