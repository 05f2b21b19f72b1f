package io.tidemark.agent.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.AgentError;
import io.tidemark.agent.Denial;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.AddressDemand;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.PodPools;
import io.tidemark.resource.PodPools.PoolCidrs;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An agent of single addresses on a node of a multi-pool agent, and of the machine")
class AgentChangeTest {
  private final CrdWorld world = new CrdWorld();

  private static NodeResource left(NodeResource node, int demand, String... listed) {
    TreeMap<String, PoolCidrs> allocated = new TreeMap<>();
    if (listed.length > 0) {
      allocated.put(
          "default", PoolCidrs.of(Stream.of(listed).map(Cidr::parse).toArray(Cidr[]::new)));
    }
    return node.withPools(
        new PodPools(
            demand == 0
                ? new TreeMap<>()
                : new TreeMap<>(Map.of("default", new AddressDemand(demand, 0))),
            allocated));
  }

  @Test
  @DisplayName("A95 Only what the multi-pool agent listed is handed out until no release can run")
  void pause() {
    world.object(left(CrdWorld.sample("10.0.0.1", "10.0.0.2").build(), 2, "10.0.0.1/32"));
    world.begin();
    assertThat(world.next("a").ip()).hasToString("10.0.0.1");
    assertThat(world.refusedNext().code()).isEqualTo(AgentError.NOT_AVAILABLE_IN_POOL);
    assertThat(world.now().ipam().requested()).as("before restoration").isPresent();
    world.finish();
    world.pass(CrdWorld.RATE);
    assertThat(world.now().ipam().requested()).as("the demand goes first").isEmpty();
    assertThat(world.now().ipam().allocatedCidrs()).as("the list stays").hasSize(1);
    assertThat(world.used()).containsOnlyKeys("10.0.0.1");
    world.crash();
    world.start("10.0.0.1");
    assertThat(world.refused("10.0.0.2")).as("the next process waits as well").isNotNull();
    world.pass(Duration.ofMinutes(4));
    assertThat(world.next("b").ip()).hasToString("10.0.0.2");
    world.pass(CrdWorld.RATE);
    assertThat(world.now().pools()).isEqualTo(PodPools.NONE);
  }

  @Test
  @DisplayName("A95 What the operator gives after the change is handed out at once")
  void given() {
    world.object(left(CrdWorld.sample("10.0.0.1", "10.0.0.2").build(), 2));
    world.start();
    world.pass(CrdWorld.RATE);
    assertThat(world.refusedNext().code()).isEqualTo(AgentError.NOT_AVAILABLE_IN_POOL);
    world.edit(
        node ->
            node.withPool(CrdWorld.sample("10.0.0.1", "10.0.0.2", "10.0.0.9").build().pool())
                .withEniStatus(
                    CrdWorld.sample("10.0.0.1", "10.0.0.2", "10.0.0.9")
                        .build()
                        .eniStatus()
                        .orElseThrow()));
    assertThat(world.next("b").ip()).hasToString("10.0.0.9");
  }

  @Test
  @DisplayName("A96 No pod gets an address of the node itself, and the agent reports who has it")
  void ofTheNode() {
    NodeResource plain = CrdWorld.sample("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4").build();
    world.object(
        NodeResourceJson.parse(
                NodeResourceJson.print(plain)
                    .replaceFirst(
                        "\"spec\": *\\{",
                        "\"spec\":{\"addresses\":[{\"type\":\"InternalIP\",\"ip\":\"10.0.0.1\"},"
                            + "{\"type\":\"CiliumInternalIP\",\"ip\":\"10.0.0.2\"},"
                            + "{\"type\":\"Hostname\",\"ip\":\"worker\"}],"
                            + "\"health\":{\"ipv4\":\"10.0.0.3\"},"),
                "test")
            .match(
                resource -> resource,
                refused -> {
                  throw new AssertionError(refused.problems().toString());
                }));
    world.start();
    assertThat(world.next("a").ip()).hasToString("10.0.0.4");
    assertThat(world.refusedNext().text()).contains("3 reserved by health, node-ip, router");
    assertThat(world.refused("10.0.0.1"))
        .isEqualTo(Denial.excluded(IpAddress.parse("10.0.0.1"), CrdWorld.POOL, "node-ip"));
    world.pass(CrdWorld.RATE);
    assertThat(world.used()).containsOnlyKeys("10.0.0.4");
  }

  @Test
  @DisplayName("A96 The primary address of the first interface is the node's")
  void firstPrimary() {
    NodeResource node = CrdWorld.sample("10.0.0.10", "10.0.0.11").build();
    EniStatus.Eni eni = Objects.requireNonNull(node.eniStatus().orElseThrow().enis().get("eni-1"));
    TreeMap<String, EniStatus.Eni> enis = new TreeMap<>();
    enis.put(
        "eni-1",
        new EniStatus.Eni(
            eni.id(),
            Optional.of(IpAddress.parse("10.0.0.10")),
            eni.mac(),
            eni.availabilityZone(),
            eni.description(),
            0,
            eni.subnet(),
            eni.vpc(),
            eni.addresses(),
            eni.prefixes(),
            eni.ipv6Prefixes(),
            eni.publicIp(),
            eni.securityGroups(),
            eni.tags()));
    world.object(node.withEniStatus(new EniStatus(enis)));
    world.start();
    assertThat(world.next("a").ip()).hasToString("10.0.0.11");
    assertThat(world.refusedNext().code()).isEqualTo(AgentError.EXHAUSTED);
  }

  @Test
  @DisplayName("A71 An address about which the object contradicts itself is not handed out")
  void contradiction() {
    world.object(CrdWorld.sample("10.0.0.1").pool("eni-1", "10.0.0.1", "10.0.0.2").build());
    world.start();
    assertThat(world.next("a").ip()).hasToString("10.0.0.1");
    assertThat(world.refusedNext().code()).isEqualTo(AgentError.NOT_AVAILABLE_IN_POOL);
    assertThat(world.refused("10.0.0.2").code()).isEqualTo(AgentError.NOT_AVAILABLE_IN_POOL);
  }
}
