package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.testing.NodeSample;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node whose agent is replaced by one of the other kind: delay 5 s")
class AgentChangeTest {
  private static final AddressSet FOUR =
      AddressSet.of(
          IpAddress.parse("10.0.0.1"),
          IpAddress.parse("10.0.0.2"),
          IpAddress.parse("10.0.0.3"),
          IpAddress.parse("10.0.0.4"));

  private final NodeWorld world =
      NodeWorld.idle(EngineConfig.defaults().releasingAfter(Duration.ofSeconds(5)));
  private final ScriptedNode node = world.provider.prepared("node1");

  private void start(NodeSample object) {
    node.attach(FOUR, List.of());
    world.create(object.build());
    world.start();
    world.run(Duration.ofSeconds(1));
  }

  private void agentAsksFor(int addresses, String... held) {
    world.agentHolds("node1", 1, 0, addresses, held);
    world.run(Duration.ofSeconds(1));
  }

  private int used() {
    return world.report("node1").used();
  }

  @Test
  @DisplayName(
      "NM-C10 the demand of a multi-pool agent counts although its predecessor's use stands")
  void servedAtOnce() {
    start(Samples.node("node1").instanceId("i-1").preAllocate(1).used("10.0.0.1", "10.0.0.2"));
    int before = node.allocated.size();
    agentAsksFor(20, "10.0.0.1/32", "10.0.0.2/32");
    assertThat(node.allocated).hasSizeGreaterThan(before);
    assertEquals(16, node.allocated.get(before).ipv4().wanted(), "20 are wanted, four are there");
    world.run(Duration.ofMinutes(5));
    assertEquals(List.of(), node.cidrsAsked, "which addresses pods have is said in two ways");
  }

  @Test
  @DisplayName("NM-C10 an operator that finds both serves either kind, and releases nothing")
  void bothAtStart() {
    start(
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(1)
            .requested(2, 0)
            .allocated("10.0.0.1/32")
            .used("10.0.0.1"));
    world.run(Duration.ofMinutes(5));
    assertEquals(List.of(), node.cidrsAsked);
    assertEquals(List.of(), node.released);
    assertThat(world.resource("node1").releaseIps()).isEmpty();
    agentAsksFor(5, "10.0.0.1/32");
    assertEquals(4, used(), "the demand was written last");
  }

  @Test
  @DisplayName("NM-C10 an agent of single addresses loses none without its word, pods or not")
  void handshakeAgain() {
    start(
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(1)
            .requested(2, 0)
            .allocated("10.0.0.1/32", "10.0.0.2/32", "10.0.0.3/32", "10.0.0.4/32"));
    agentAsksFor(2, "10.0.0.1/32"); // three timers run
    world.run(Duration.ofSeconds(1));
    world.use("node1", AddressSet.of(IpAddress.parse("10.0.0.4")));
    world.use("node1", AddressSet.of());
    world.run(Duration.ofMinutes(5));
    assertEquals(List.of(), node.cidrsAsked);
    assertEquals(List.of(), node.released);
    assertThat(world.resource("node1").releaseIps()).as("it is asked").isNotEmpty();
  }

  @Test
  @DisplayName("NM-C10 a timer of a multi-pool agent does not outlive the change to and fro")
  void timersEnd() {
    start(
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(1)
            .requested(2, 0)
            .allocated("10.0.0.1/32", "10.0.0.2/32", "10.0.0.3/32", "10.0.0.4/32"));
    agentAsksFor(2, "10.0.0.1/32");
    world.run(Duration.ofSeconds(3));
    agentAsksFor(0);
    agentAsksFor(2, "10.0.0.1/32");
    world.run(Duration.ofSeconds(3));
    assertEquals(List.of(), node.released, "the delay begins anew");
  }

  @Test
  @DisplayName(
      "NM-C10 a multi-pool agent is not shown what a read soon after the start may show wrongly")
  void shownWhole() {
    world.provider.readHorizon = Duration.ofSeconds(10);
    start(
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(1)
            .requested(4, 0)
            .allocated("10.0.0.1/32")
            .eni(Samples.eni("eni-1", 1, "10.0.0.1")));
    assertEquals(1, shown(), "three of four may have been given back a moment before the start");
    world.run(Duration.ofSeconds(30));
    assertEquals(4, shown());
  }

  private int shown() {
    return world
        .resource("node1")
        .eniStatus()
        .orElseThrow()
        .addressesByInterface()
        .values()
        .stream()
        .mapToInt(AddressSet::size)
        .sum();
  }

  @Test
  @DisplayName("F-12 used entries of an instance that is gone do not count")
  void departed() {
    start(Samples.node("node1").instanceId("i-1").preAllocate(1).used("10.0.0.1", "10.0.9.2"));
    assertEquals(2, used());
    node.attach(AddressSet.of(), List.of());
    world.edit("node1", resource -> resource.withInstanceId("i-2"));
    world.run(Duration.ofSeconds(1));
    assertEquals(0, used());
  }
}
