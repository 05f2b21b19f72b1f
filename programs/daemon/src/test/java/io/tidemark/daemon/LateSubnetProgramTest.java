package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(5 * Hang.SECONDS)
@DisplayName("The command agent when an interface in another subnet is attached")
class LateSubnetProgramTest {
  private static final String FIRST =
      """
            eni-1: {id: eni-1, number: 1, addresses: [10.1.0.5, 10.1.0.6], vpc: {primary-cidr: 10.1.0.0/16}, subnet: {cidr: 10.1.0.0/24}}
      """;
  private static final String SECOND =
      """
            eni-2: {id: eni-2, number: 2, addresses: [10.1.1.5, 10.1.1.6], vpc: {primary-cidr: 10.1.0.0/16}, subnet: {cidr: 10.1.1.0/24}}
      """;

  @TempDir private Path folder;

  private void write(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.fromMillis(0)); // read at once
  }

  private static String node(String pool, String interfaces) {
    return """
        apiVersion: cilium.io/v2
        kind: CiliumNode
        metadata: {name: n1}
        spec:
          instance-id: i-1
          ipam: {pre-allocate: 2, pool: {%s}}
        status:
          eni:
            enis:
        """
            .formatted(pool)
        + interfaces;
  }

  @Test
  @DisplayName("A93 Its pods have a gateway of that subnet, without another start of the agent")
  void gateway() throws Exception {
    Path file = folder.resolve("node.yaml");
    write(file, node("10.1.0.5: {resource: eni-1}, 10.1.0.6: {resource: eni-1}", FIRST));
    AgentRun agent = new AgentRun(folder);
    agent.serve(
        "--nodes=" + file, "--ipam=eni", "--instance-id=i-1", "--ipam-cilium-node-update-rate=1s");
    assertThat(agent.ask("ADD", "c1")).contains("\"gateway\":\"10.1.0.5\"");
    Eventually.holds("its use is written", () -> Files.readString(file).contains("net/c1"));
    write(
        file,
        node(
            "10.1.0.5: {resource: eni-1}, 10.1.0.6: {resource: eni-1}, "
                + "10.1.1.5: {resource: eni-2}, 10.1.1.6: {resource: eni-2}",
            FIRST + SECOND));
    Eventually.holds(
        "an address of the other subnet", () -> agent.ask("ADD", "c2").startsWith("200 "));
    assertThat(agent.ask("ADD", "c2"))
        .containsPattern("\"address\":\"10.1.1.[56]/24\",\"gateway\":\"10.1.1.[56]\"");
    agent.end();
  }
}
