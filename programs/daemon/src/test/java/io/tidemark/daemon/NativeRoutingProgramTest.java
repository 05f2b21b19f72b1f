package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Hang;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(5 * Hang.SECONDS)
@DisplayName("The command agent with a CIDR that pods reach without translation")
class NativeRoutingProgramTest {
  @TempDir private Path folder;

  /** A node of EC2 with two addresses, in the VPC 10.1.0.0/16. */
  private String[] arguments(String... more) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("node.yaml"),
            """
            apiVersion: cilium.io/v2
            kind: CiliumNode
            metadata: {name: n1}
            spec:
              instance-id: i-1
              ipam:
                pre-allocate: 2
                pool: {10.1.0.5: {resource: eni-1}, 10.1.0.6: {resource: eni-1}}
            status:
              eni:
                enis:
                  eni-1:
                    id: eni-1
                    number: 1
                    addresses: [10.1.0.5, 10.1.0.6]
                    vpc: {primary-cidr: 10.1.0.0/16}
                    subnet: {cidr: 10.1.0.0/24}
            """);
    Files.setLastModifiedTime(file, FileTime.fromMillis(0)); // read at once
    List<String> all = new ArrayList<>(List.of("--nodes=" + file, "--ipam=eni"));
    all.addAll(List.of("--instance-id=i-1", "--enable-ipv6=false"));
    all.addAll(List.of("--ipam-cilium-node-update-rate=1s", "--cni-gateway=none"));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @ParameterizedTest
  @ValueSource(strings = {"crd", "multi-pool"})
  @DisplayName("A43 A75 Results list it with the CIDRs of the VPC, if its family is enabled")
  void listed(String allocator) throws Exception {
    AgentRun agent = new AgentRun(folder);
    agent.serve(
        arguments(
            "--interface-allocator=" + allocator,
            "--ipv4-native-routing-cidr=10.0.0.0/8",
            "--ipv6-native-routing-cidr=2001:db8::/56"));
    assertThat(agent.ask("ADD", "c1")).contains("\"cidrs\":[\"10.1.0.0/16\",\"10.0.0.0/8\"]");
    agent.end();
  }

  @ParameterizedTest
  @ValueSource(strings = {"crd", "multi-pool"})
  @DisplayName("A75 With one that has nothing to do with the VPC the agent does not start")
  void contradiction(String allocator) throws Exception {
    AgentRun agent = new AgentRun(folder);
    assertThat(
            agent.run(
                arguments(
                    "--interface-allocator=" + allocator,
                    "--ipv4-native-routing-cidr=172.16.0.0/12")))
        .isEqualTo(2);
    assertThat(agent.errors())
        .contains("TM-1619 ROUTING_CIDR_CONTRADICTS", "ipv4-native-routing-cidr is 172.16.0.0/12");
  }

  @Test
  @DisplayName("A CIDR of another family is reported with its key")
  void otherFamily() throws Exception {
    AgentRun agent = new AgentRun(folder);
    assertThat(agent.run(arguments("--ipv6-native-routing-cidr=10.0.0.0/8"))).isEqualTo(2);
    assertThat(agent.errors()).contains("ipv6-native-routing-cidr=10.0.0.0/8", "an IPv6 CIDR");
  }
}
