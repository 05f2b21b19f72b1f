package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.crd.CrdMode;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.UsedAddress;
import io.tidemark.simulation.agent.AgentWorld;
import io.tidemark.simulation.agent.AgentWorld.AddressLedger;
import io.tidemark.simulation.agent.Pod;
import io.tidemark.simulation.agent.SimulatedAgent;
import io.tidemark.simulation.cloud.CloudTemper;
import io.tidemark.simulation.cloud.MockSimulatedCloud;
import io.tidemark.simulation.cloud.SimulatedCloud.Launch;
import io.tidemark.simulation.scenario.NodeGroup;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("F-2: pool, status and handshake of one object; the status shows 10.0.0.1 alone")
class WireCheckTest {
  private static final String NODE = "node1";
  private static final String ENI = "eni-1";
  private static final IpAddress SHOWN = IpAddress.parse("10.0.0.1");
  private static final IpAddress HIDDEN = IpAddress.parse("10.0.0.2");

  private final VirtualTime time = new VirtualTime(0);
  private final Violations violations = new Violations(time, new EventTrace(time, null));
  private final WireCheck check =
      new WireCheck(
          new MockSimulatedCloud(ScenarioGenerator.scenario(1), time, CloudTemper.CALM, 1),
          violations);
  private final SimulatedNode node = node();
  private int version;

  @Test
  @DisplayName("an operator leaves no free address in the pool that the status does not show")
  void free() {
    check.written(node, object(SHOWN, HIDDEN));
    assertBroken();
  }

  @Test
  @DisplayName("an address of a shown block counts only when the status lists it")
  void block() {
    EniStatus.Eni shown = Samples.eni(ENI, 0, SHOWN.toString());
    EniStatus.Eni withBlock =
        new EniStatus.Eni(
            shown.id(),
            shown.ip(),
            shown.mac(),
            shown.availabilityZone(),
            shown.description(),
            shown.number(),
            shown.subnet(),
            shown.vpc(),
            shown.addresses(),
            List.of(Cidr.parse("10.0.0.0/28")),
            shown.ipv6Prefixes(),
            shown.publicIp(),
            shown.securityGroups(),
            shown.tags());
    NodeResource object = object(SHOWN, HIDDEN);
    check.written(node, object.withEniStatus(new EniStatus(new TreeMap<>(Map.of(ENI, withBlock)))));
    assertBroken();
  }

  @Test
  @DisplayName("an address that is called released may be there, and one that a pod uses")
  void released() {
    check.written(node, released(object(SHOWN, HIDDEN)));
    check.written(node, used(object(SHOWN, HIDDEN), HIDDEN));
    assertThat(violations.list()).isEmpty();
  }

  @Test
  @DisplayName("what a pod has just left may be there until an operator writes, and no longer")
  void left() {
    check.written(node, used(object(SHOWN, HIDDEN), HIDDEN));
    check.described(node, object(SHOWN, HIDDEN));
    assertThat(violations.list()).as("the agent wrote that the pod is gone").isEmpty();

    check.written(node, object(SHOWN, HIDDEN));
    assertBroken();
  }

  @Test
  @DisplayName("what a pod left before an operator's last write is no exception for the agent's")
  void leftBefore() {
    check.written(node, used(object(SHOWN, HIDDEN), HIDDEN));
    check.written(node, released(object(SHOWN, HIDDEN)));
    check.described(node, object(SHOWN, HIDDEN));
    assertBroken();
  }

  private void assertBroken() {
    assertThat(violations.list()).extracting(Violation::invariant).containsExactly("F-2");
    assertThat(violations.list().get(0).detail()).contains(HIDDEN.toString());
  }

  private NodeResource object(IpAddress... pool) {
    EniStatus.Eni eni = Samples.eni(ENI, 0, SHOWN.toString());
    return Samples.parsed(WireCheck.foreignObject(NODE, "eni", "192.0.2.1"))
        .withPool(PodIpPool.of(Map.of(ENI, AddressSet.copyOf(List.of(pool)))))
        .withEniStatus(new EniStatus(new TreeMap<>(Map.of(ENI, eni))))
        .withResourceVersion(Integer.toString(++version));
  }

  private static NodeResource used(NodeResource object, IpAddress address) {
    return object.withUsed(new TreeMap<>(Map.of(address, new UsedAddress("ns/pod", ENI))));
  }

  private static NodeResource released(NodeResource object) {
    return object.withReleaseIps(new TreeMap<>(Map.of(HIDDEN, HandshakeState.RELEASED)));
  }

  private SimulatedNode node() {
    NodeGroup group =
        new NodeGroup(
            "g0",
            1,
            "small",
            List.of("subnet-1"),
            0,
            NodeGroup.Marks.DEFAULT,
            NodeGroup.Span.START,
            NodeGroup.AgentShape.DEFAULT,
            List.of(),
            Optional.empty());
    return new SimulatedNode(
        NODE,
        group,
        new InstanceShape("small", 2, 4, false),
        0,
        new TreeMap<>(),
        new Launch("i-1", NODE, "small", "subnet-1", 0),
        new SimulatedAgent(agents(), NODE, "i-1", NodeGroup.AgentShape.DEFAULT, Set.of()));
  }

  private AgentWorld agents() {
    return new AgentWorld(
        time,
        new InMemoryNodeResourceStore(),
        DeliveryDelay.NONE,
        Interference.NONE,
        EffectModel.reliable(Duration.ZERO, Duration.ZERO),
        Duration.ofSeconds(5),
        new Nobody(),
        CrdMode.ENI,
        Set.of(IpFamily.IPV4),
        new SplittableRandom(1));
  }

  private static final class Nobody implements AddressLedger {
    @Override
    public void taken(String instanceId, IpAddress address, Pod pod) {}

    @Override
    public void givenBack(String instanceId, IpAddress address) {}

    @Override
    public void waiting(String instanceId, int count) {}
  }
}
