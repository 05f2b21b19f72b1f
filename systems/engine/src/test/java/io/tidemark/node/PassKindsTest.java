package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InterfaceId;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Passes beside filling an interface (node-manager 3.7, 3.9, 2.8)")
class PassKindsTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);
  private static final IpAddress PUBLIC = IpAddress.parse("192.0.2.254");

  private final EngineConfig plain = EngineConfig.defaults();

  @ParameterizedTest(name = "\"{0}\" -> {1}")
  @CsvSource({
    "'', true",
    "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/publicIPPrefixes/p, true",
    "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/publicIPAddresses/a, true",
    "203.0.113.7, false",
    "2001:db8::1, false",
  })
  @DisplayName("C-3 a static address is looked up unless an IP address is recorded")
  void staticAddressNeeded(String recorded, boolean needed) {
    String text =
        NodeResourceJson.print(
                Samples.node("node1")
                    .instanceId("i-1")
                    .staticIpTag("pool", "a")
                    .build()
                    .withAssignedStaticIp(PUBLIC))
            .replace(PUBLIC.toString(), recorded);
    NodeResource resource =
        NodeResourceJson.parse(text, "test")
            .match(
                valid -> valid,
                invalid -> {
                  throw new AssertionError(invalid.problems());
                });
    assertEquals(needed, ResourceFacts.of(resource).staticAddressNeeded());
    assertFalse(
        ResourceFacts.of(Samples.node("n", 8, 0, 0)).staticAddressNeeded(), "none is asked for");
  }

  private NodeWorld asksForStaticAddress() {
    NodeWorld world = NodeWorld.started(plain);
    world.create(
        Samples.node("node1").instanceId("i-1").preAllocate(8).staticIpTag("pool", "a").build());
    return world;
  }

  @Test
  @DisplayName(
      "D-20 a static address is asked for once, published, and found again after a restart")
  void staticAddress() {
    NodeWorld world = asksForStaticAddress();
    world.run(Duration.ofMinutes(5));
    ScriptedNode node = world.provider.node("node1");
    assertEquals(List.of(Map.of("pool", "a")), node.staticAsked);
    assertEquals(Optional.of("192.0.2.254"), world.resource("node1").assignedStaticIp());
    assertEquals("8/0", world.availableUsed("node1"));
    world.assertSettled("node1");
    world.edit("node1", resource -> resource.withInstanceId("i-2"));
    world.run(ONE_SECOND);
    assertEquals(1, node.staticAsked.size(), "the recorded address is taken as it stands");
  }

  @Test
  @DisplayName("A static address that cannot be had starves no pod")
  void staticAddressFails() {
    NodeWorld world = asksForStaticAddress();
    ScriptedNode node = world.provider.prepared("node1");
    for (int i = 0; i < 50; i++) {
      node.staticAnswers.add(
          () ->
              CompletableFuture.completedStage(
                  new AllocationOutcome.Refused(
                      Failure.of(Failure.Kind.CONFIGURATION, "scripted", "no such tag"))));
    }
    world.run(ONE_SECOND);
    assertEquals("8/0", world.availableUsed("node1"));
    assertEquals(NodeState.BLOCKED, world.report("node1").state());
    assertEquals(
        BlockedReason.CLOUD_REFUSED, world.report("node1").blocked().orElseThrow().reason());
    world.use("node1", 4);
    world.run(ONE_SECOND);
    assertEquals("12/4", world.availableUsed("node1"), "not in five minutes");
    world.run(Duration.ofMinutes(16));
    assertEquals(4, node.staticAsked.size(), "tried again with the longest pause");
  }

  @Test
  @DisplayName("Without the capability nothing is asked of the provider")
  void capabilities() {
    NodeWorld world = NodeWorld.idle(plain.releasingAfter(ONE_SECOND));
    world.provider.capabilities.clear();
    ScriptedNode node = world.provider.prepared("node1");
    node.slots = 2;
    world.create(
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(1)
            .staticIpTag("pool", "a")
            .requested(9, 2)
            .build());
    world.start();
    world.run(ONE_SECOND);
    node.room = 0;
    world.use("node1", 9);
    world.run(Duration.ofSeconds(30));
    assertEquals(0, node.staticAsked.size(), Capability.STATIC_ADDRESS::name);
    assertEquals(0, node.created.size(), Capability.NEW_INTERFACE::name);
    assertEquals(0, node.ipv6Prefixes, Capability.IPV6_PREFIX::name);
    world.use("node1", 1);
    world.run(Duration.ofSeconds(30));
    assertEquals(Map.of(), world.resource("node1").releaseIps(), Capability.RELEASE::name);
    assertEquals(List.of(), node.cidrsAsked, Capability.CIDR_RELEASE::name);
  }

  @Test
  @DisplayName("2.8 IPv6 demand attaches one prefix, once, also when no IPv4 address is missing")
  void ipv6Prefix() {
    NodeWorld world = NodeWorld.started(plain);
    world.create(Samples.node("node1").instanceId("i-1").preAllocate(8).requested(8, 0).build());
    world.run(ONE_SECOND);
    ScriptedNode node = world.provider.node("node1");
    assertEquals(0, node.ipv6Prefixes);
    world.edit(
        "node1",
        resource ->
            resource.withIpam(Samples.node("x").preAllocate(8).requested(8, 1).build().ipam()));
    world.run(Duration.ofMinutes(2));
    assertEquals(1, node.ipv6Prefixes);
    assertEquals(2, node.allocated.size());
    assertEquals(0, node.allocated.get(1).ipv4().wanted());
    assertEquals(1, node.allocated.get(1).ipv6Prefixes());
    world.assertSettled("node1");
  }

  @Test
  @DisplayName("2.8 a prefix that the provider's settings promise is attached without a demand")
  void promisedPrefix() {
    NodeWorld world = NodeWorld.idle(plain);
    ScriptedNode node = world.provider.prepared("node1");
    node.promisesIpv6 = true;
    world.create(Samples.node("node1").instanceId("i-1").preAllocate(8).build());
    world.start();
    world.run(Duration.ofMinutes(2));
    assertEquals(1, node.ipv6Prefixes);
    assertEquals("8/0", world.availableUsed("node1"));
    world.assertSettled("node1");
  }

  @Test
  @DisplayName("3.9 no room on an interface and an empty slot: one is created, counted and filled")
  void newInterface() {
    NodeWorld world = NodeWorld.started(plain);
    ScriptedNode node = world.provider.prepared("node1");
    node.room = 0;
    node.slots = 1;
    node.refresh();
    node.creations.add(
        () -> {
          node.slots = 0;
          node.room = Integer.MAX_VALUE;
          AllocationOutcome.Allocated grown =
              (AllocationOutcome.Allocated)
                  node.grow(new AddressPlan(8, 8, OptionalInt.empty(), 1, 1));
          List<AttachedInterface> added = grown.added();
          return CompletableFuture.completedStage(
              new AllocationOutcome.Allocated(
                  added,
                  Optional.of(new InterfaceId("eni-new")),
                  Optional.empty(),
                  grown.generation()));
        });
    world.create("node1", 8, 0);
    world.run(ONE_SECOND);
    assertEquals("8/0", world.availableUsed("node1"));
    assertEquals(1, node.created.size());
    assertEquals(0, node.allocated.size());
    assertEquals(1, world.metrics.value(Metric.INTERFACE_CREATION_OPS, "global"));
    assertEquals(
        Map.of("createInterfaceAndAllocateIP success global", 1.0),
        world.metrics.all(Metric.ALLOCATION_DURATION));
  }

  @Test
  @DisplayName("D-18 the same snapshot and inventory give the same plan")
  void samePlan() {
    NodeWorld world = NodeWorld.filled(plain.releasingAfter(ONE_SECOND));
    world.provider.calls.hold();
    world.use("node1", 5);
    world.run(ONE_SECOND);
    String first = world.explain("node1").plan();
    world.manager.resync();
    world.run(ONE_SECOND);
    assertEquals(first, world.explain("node1").plan());
    assertThat(first).contains("allocate 5 addresses");
  }
}
