package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(5 * Hang.SECONDS)
@DisplayName("The command agent with pools that consist of CIDRs, on a folder")
class PoolAgentProgramTest {
  /** A file that is new is read when it has been quiet; this one at once. */
  private static final FileTime LONG_AGO = FileTime.fromMillis(0);

  @TempDir private Path folder;
  private AgentRun agent;
  private Path file;
  private String[] arguments = {};

  @BeforeEach
  void nodes() {
    agent = new AgentRun(folder);
    file = folder.resolve("node.yaml");
    arguments =
        new String[] {
          "--nodes=" + file,
          "--ipam=multi-pool",
          "--ipam-multi-pool-pre-allocation=default=8,mars=2",
          "--enable-ipv6=false",
          "--ipam-cilium-node-update-rate=1s",
          "--ip-cooldown=0s"
        };
  }

  private void node(String spec) throws IOException {
    Files.writeString(
        file,
        "apiVersion: cilium.io/v2\nkind: CiliumNode\nmetadata:\n  name: n1\nspec:\n  "
            + spec
            + "\n");
    Files.setLastModifiedTime(file, LONG_AGO);
  }

  private void awaitText(Predicate<String> wanted) {
    Eventually.holds("it is written", () -> wanted.test(Files.readString(file)));
  }

  @Test
  @DisplayName("A51 A54 It asks for its pools, serves those that pods name, and tells about CIDRs")
  void serves() throws Exception {
    node("{}");
    agent.start(arguments);
    awaitText(text -> text.contains("needed"));
    assertThat(Files.readString(file)).contains("pool: mars", "ipv4-addrs: 8", "ipv4-addrs: 2");
    String written = Files.readString(file);
    Files.writeString(
        file,
        written.replace(
            "requested:",
            "allocated: [{pool: default, cidrs: [10.0.0.0/28, 10.0.1.0/28, 10.0.0.8/29]},"
                + " {pool: mars, cidrs: [10.9.0.0/29]}]\n      requested:"));
    agent.serving.await();
    assertThat(agent.ask("ADD", "c1")).contains("\"address\":\"10.0.0.", "\"pool\":\"default\"");
    assertThat(agent.ask("ADD", "c2", ",\"pool\":\"mars\""))
        .contains("\"address\":\"10.9.0.", "/29\",\"gateway\":\"10.9.0.", "\"pool\":\"mars\"");
    assertThat(agent.ask("ADD", "c3", ",\"pool\":\"Mars\"")).contains("ipam.pool is 'Mars'");
    assertThat(agent.get("/status"))
        .contains(
            "{\"cidr\":\"10.0.0.8/29\",\"pool\":\"default\",\"state\":\"REJECTED\",\"reason\":"
                + "\"another block of the pool has some of its addresses\"}",
            "{\"cidr\":\"10.9.0.0/29\",\"pool\":\"mars\",\"state\":\"DRAWN\"}");
    assertThat(agent.get("/readyz")).isEqualTo("200 ready\n");
    assertThat(agent.get("/metrics"))
        .containsPattern("cilium_ipam_sync_queued_total [1-9]")
        .contains("cilium_ipam_pending{family=\"ipv4\",pool=\"mars\"} 0.0")
        .contains("cilium_ipam_quarantined{family=\"ipv4\",pool=\"default\"} 0.0")
        .contains("cilium_ipam_offered_not_taken_ips{family=\"ipv4\",pool=\"default\"} 0.0");
    awaitText(text -> text.contains("ipv4-addrs: 16") && text.contains("ipv4-addrs: 4"));
    agent.end();
    assertThat(agent.errors()).contains("serving node n1 from spec.ipam.pools");

    AgentRun next = new AgentRun(folder);
    next.serve(arguments);
    assertThat(next.ask("CHECK", "c2")).contains("prevResult is missing");
    assertThat(next.ask("DEL", "c2")).startsWith("200 ");
    assertThat(next.ask("ADD", "c1")).contains("\"address\":\"10.0.0.");
    next.end();
  }

  @Test
  @DisplayName("A start without CIDRs fails and names the pools; with some it serves those")
  void missing() throws Exception {
    node("{ipam: {pools: {allocated: [{pool: mars, cidrs: [10.9.0.0/29]}]}}}");
    agent = AgentRun.servingSoon(folder, arguments);
    assertThat(agent.ask("ADD", "c2", ",\"pool\":\"mars\"")).contains("\"address\":\"10.9.0.");
    assertThat(agent.ask("STATUS", "x")).contains("no IPv4 addresses of pool default");
    agent.end();
    assertThat(agent.errors())
        .contains("missing=spec.ipam.pools of node n1 has no address of pool default (IPv4)");

    node("{}");
    new AgentRun(folder)
        .waitsInVain(
            "spec.ipam.pools of node n1 has no address of pool default (IPv4), pool mars (IPv4)",
            arguments);
  }

  @Test
  @DisplayName("A73 A74 With ipam: azure it serves the addresses of the interfaces, and lists them")
  void azure() throws Exception {
    node(
        """
        {instance-id: azure:///subscriptions/s/vm1, ipam: {pre-allocate: 2}}
        status:
          azure:
            interfaces:
            - id: /nic/a
              mac: "02:00:00:00:00:fe"
              state: succeeded
              ip: 10.1.0.4
              gateway: 10.1.0.1
              cidr: 10.1.0.0/24
              addresses:
              - {ip: 10.1.0.5, subnet: /subnet, state: succeeded}
              - {ip: 10.1.0.6, subnet: /subnet, state: succeeded}
              - {ip: 10.1.0.7, subnet: /subnet, state: updating}""");
    agent.serve(
        "--nodes=" + file,
        "--ipam=azure",
        "--interface-allocator=multi-pool",
        "--instance-id=/Subscriptions/s/vm1",
        "--agent-check-interfaces=false",
        "--enable-ipv6=false",
        "--ipam-cilium-node-update-rate=1s",
        "--cni-gateway=interface");
    assertThat(agent.ask("ADD", "c1"))
        .contains("\"address\":\"10.1.0.5/24\",\"gateway\":\"10.1.0.1\"")
        .contains("{\"resource\":\"/nic/a\",\"mac\":\"02:00:00:00:00:fe\",\"number\":\"0\"");
    awaitText(text -> text.contains("10.1.0.6/32") && text.contains("ipv4-addrs: 3"));
    assertThat(Files.readString(file)).doesNotContain("10.1.0.7/32");
    agent.end();
    assertThat(agent.errors()).contains("serving node n1 from status.azure");
  }

  @Test
  @DisplayName("Every problem of the pools is reported with its key")
  void settings() throws Exception {
    node("{}");
    assertThat(
            agent.run(
                "--nodes=" + file, "--ipam=multi-pool", "--ipam-multi-pool-pre-allocation=a=x"))
        .isEqualTo(2);
    assertThat(agent.errors())
        .contains("ipam-multi-pool-pre-allocation=a=x", "NAME=ADDRESSES items");
    AgentRun other = new AgentRun(folder);
    assertThat(
            other.run(
                "--nodes=" + file,
                "--ipam=eni",
                "--interface-allocator=multi-pool",
                "--ipam-default-ip-pool=mars"))
        .isEqualTo(2);
    assertThat(other.errors()).contains("the addresses of interfaces are in pool default");
  }
}
