package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
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

  @DisplayName("2.8 D-20 public addresses and IPv6 prefixes, asked for once, where they can be had")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D-20 a static address is asked for once, published, and found again after a restart \
            | create p=8 t=a; start; 5m; staticTags [{pool=a}]; address 192.0.2.254; is 8/0; \
              settled; instance i-2; 1s; statics 1
          a static address that cannot be had starves no pod, and is tried again with the longest pause \
            | noStatic; noStatic; noStatic; noStatic; noStatic; create p=8 t=a; start; 1s; \
              is 8/0; state BLOCKED; why CLOUD_REFUSED; use 4; 1s; is 12/4; 16m; statics 4
          2.8 IPv6 demand attaches one prefix, once, also when no IPv4 address is missing \
            | create p=8 d=8; start; 1s; v6 0; becomes p=8 d=8/1; 2m; v6 1; asked 2; wanted 0; \
              settled
          2.8 a prefix that the settings of the provider promise is attached without a demand \
            | promises; create p=8; start; 2m; v6 1; is 8/0; settled
          """)
  void story(String what, String story) {
    NodeStory.run(NodeWorld.idle(plain), what, story);
  }

  @Test
  @DisplayName("Without the capability nothing is asked of the provider")
  void capabilities() {
    NodeStory.run(
        NodeWorld.idle(plain.releasingAfter(ONE_SECOND)),
        "none at all",
        "lacks .*; slots 2; create p=1 t=a d=9/2; start; 1s; room 0; use 9; 30s; statics 0;"
            + " created 0; v6 0; use 1; 30s; entries 0; planned 0");
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
