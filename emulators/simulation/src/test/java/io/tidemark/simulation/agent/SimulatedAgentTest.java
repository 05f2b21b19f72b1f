package io.tidemark.simulation.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.crd.CrdMode;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.EniStatus.Eni;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.simulation.scenario.NodeGroup.AgentShape;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An agent of the simulation that holds CIDRs, with pre-allocate 1")
class SimulatedAgentTest {
  private static final String NODE = "node1";
  private static final String ONE = "10.0.0.1";
  private static final String TWO = "10.0.0.2";
  private static final String THREE = "10.0.0.3";
  private static final Duration PROMPT = Duration.ofSeconds(10);
  private static final Duration QUARANTINE = Duration.ofMinutes(4);

  private final VirtualTime time = new VirtualTime(0);
  private final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
  private final NodeResourceStore operator = server.client(time);
  private final SimulatedAgent agent =
      new SimulatedAgent(
          world(), NODE, "i-1", new AgentShape(true, Duration.ofSeconds(1)), Set.of());
  private long pods;

  SimulatedAgentTest() {
    server.create(Samples.node(NODE).instanceId("i-1").preAllocate(1).build());
    agent.start();
    run(PROMPT);
  }

  private AgentWorld world() {
    AgentWorld.AddressLedger nobody =
        new AgentWorld.AddressLedger() {
          @Override
          public void taken(String instanceId, IpAddress address, Pod pod) {}

          @Override
          public void givenBack(String instanceId, IpAddress address) {}

          @Override
          public void waiting(String instanceId, int count) {}
        };
    return new AgentWorld(
        time,
        server,
        DeliveryDelay.NONE,
        Interference.NONE,
        EffectModel.reliable(Duration.ZERO, Duration.ZERO),
        Duration.ofSeconds(5),
        nobody,
        CrdMode.ENI,
        Set.of(IpFamily.IPV4),
        new SplittableRandom(1));
  }

  private void run(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  private NodeResource object() {
    return server.find(NODE).orElseThrow();
  }

  /** The operator shows exactly these from now on. */
  private void shown(String... addresses) {
    Eni eni = Samples.eni("eni-1", 0, addresses);
    NodeResource now = object();
    operator.updateStatus(
        now, now.withEniStatus(new EniStatus(new TreeMap<>(Map.of(eni.id(), eni)))));
    run(PROMPT);
  }

  private Pod podArrives() {
    Pod pod = new Pod(pods++);
    agent.podArrives(pod);
    run(PROMPT);
    return pod;
  }

  private void podLeaves(Pod pod) {
    agent.podLeaves(pod);
    run(PROMPT);
  }

  private void holds(String... addresses) {
    Set<Cidr> held = new TreeSet<>();
    Arrays.stream(addresses).map(IpAddress::parse).map(Cidr::single).forEach(held::add);
    assertThat(object().ipam().allocatedCidrs()).isEqualTo(held);
  }

  private int demand() {
    return object().ipam().requested().orElseThrow().ipv4();
  }

  @Test
  @DisplayName("gives all pods that wait an address when it comes")
  void servesAllThatWait() {
    podArrives();
    podArrives();
    assertThat(demand()).isEqualTo(3);
    shown(ONE, TWO, THREE);
    holds(ONE, TWO, THREE);
    assertThat(agent.waiting()).isZero();
  }

  @Test
  @DisplayName("asks again for each pod that waits, so that the operator goes on to count it")
  void asksAgain() {
    podArrives();
    podArrives();
    run(Duration.ofMinutes(30));
    assertThat(demand()).isEqualTo(3);
  }

  @Test
  @DisplayName("gives addresses back that it does not need")
  void drops() {
    shown(ONE, TWO);
    holds(ONE);
    assertThat(demand()).isEqualTo(1);
  }

  @Test
  @DisplayName("A82 knows after a restart what it had dropped, and waits before it uses that again")
  void remembersWhatItDropped() {
    shown(ONE, TWO);
    holds(ONE);
    agent.restart();
    run(PROMPT);
    holds(ONE);
    podArrives();
    Pod second = podArrives();
    holds(ONE, TWO);
    run(QUARANTINE.minus(PROMPT.multipliedBy(3)));
    assertThat(second.address()).isEmpty();
    run(PROMPT.multipliedBy(2));
    assertThat(second.address()).contains(IpAddress.parse(TWO));
  }

  @Test
  @DisplayName("keeps the addresses of its pods over a restart")
  void restoresPods() {
    shown(ONE, TWO);
    Pod pod = podArrives();
    agent.restart();
    run(PROMPT);
    assertThat(agent.used()).containsOnlyKeys(pod.address().orElseThrow());
    holds(ONE, TWO);
    podLeaves(pod);
    assertThat(agent.used()).isEmpty();
  }
}
