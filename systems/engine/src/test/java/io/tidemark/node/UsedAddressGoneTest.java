package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.UsedAddress;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An address that a pod uses and the cloud does not show")
class UsedAddressGoneTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HORIZON = Duration.ofSeconds(60);

  private final NodeWorld world = filled();
  private final ScriptedNode node = world.provider.node("node1");
  private final AddressSet all = node.singles();
  private final IpAddress lost = all.at(0);

  /** A full node of a cloud whose reads lie behind; the start is long over. */
  private static NodeWorld filled() {
    NodeWorld world = NodeWorld.started(EngineConfig.defaults());
    world.provider.readHorizon = HORIZON;
    world.create("node1", 8, 0);
    world.run(Duration.ofMinutes(3));
    return world;
  }

  private void usedAndHidden() {
    world.use("node1", 2);
    world.run(SECOND);
    world.told.clear();
    world.provider.log.clear();
    node.attach(node.singles().minus(lost), List.of());
    world.manager.resync();
    world.run(SECOND);
  }

  @Test
  @DisplayName("F-2 is called released by the first write after its pod has left, then dropped")
  void leftByItsPod() {
    usedAndHidden();
    Set<Operation> conflicts = EnumSet.of(Operation.UPDATE_STATUS, Operation.UPDATE);
    world.interfere(
        (operation, name) -> {
          if (conflicts.remove(operation)) {
            world.server.touch(name);
          }
          return Optional.empty();
        });
    List<String> story = new ArrayList<>();
    world.time.afterEachStep(
        () -> {
          String now = standing(world.resource("node1"));
          if (story.isEmpty() || !story.get(story.size() - 1).equals(now)) {
            story.add(now);
          }
        });

    world.use("node1", AddressSet.of(all.at(1)));
    world.run(SECOND);

    assertThat(conflicts).as("operations that met no conflict").isEmpty();
    assertThat(story).containsExactly("left", "released", "out of the pool");
  }

  private String standing(NodeResource object) {
    if (!object.pool().contains(lost)) {
      return "out of the pool";
    }
    if (object.releaseIps().get(lost) == HandshakeState.RELEASED) {
      return "released";
    }
    return object.used().contains(lost) ? "used" : "left";
  }

  @DisplayName(
      "NM-S7 NM-S8 F-12 it stays until a later read decides, and is told until it is mended")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NM-S7 a read that fails decides nothing and is repeated \
            | use 2; 1s; afresh; hide; resync; 1s; noRead TRANSIENT; 59100ms; reads 1; kept; \
              told; 1m; reads 2; told USED_ADDRESS_GONE
          NM-S7 it is waited for no longer when the instance is not known any more \
            | use 2; 1s; afresh; hide; resync; 1s; vanished; resync; 1s; settled; told
          NM-S8 it is mended when the pod is gone \
            | use 2; 1s; afresh; hide; resync; 1s; 2m; use 1; 1s; \
              told USED_ADDRESS_GONE, USED_ADDRESS_GONE cleared; goneIps 0; stands OK true
          NM-S8 it is mended when the address is back \
            | use 2; 1s; afresh; hide; resync; 1s; 2m; unhide; resync; 1s; \
              told USED_ADDRESS_GONE, USED_ADDRESS_GONE cleared; goneIps 0; stands OK true; kept
          NM-S8 it stays told while the node waits for something else \
            | use 2; 1s; afresh; hide; resync; 1s; 2m; refuse CONFIGURATION; usesOld 6; 1s; \
              why CLOUD_REFUSED; 5m; \
              told USED_ADDRESS_GONE, CLOUD_REFUSED, CLOUD_REFUSED cleared; why USED_ADDRESS_GONE
          F-12 a node that became another instance keeps nothing of the pods of its predecessor \
            | use 2; 1s; remember; attached -; instance i-other; 1s; dropped; 3m; told
          NM-S7 stays in the pool while a single read hides it, and nobody is told \
            | use 2; 1s; afresh; hide; resync; 1s; 50s; kept; marks; \
              says used, not in the cloud 1 (a later read decides): [10.16.0.0]; unhide; resync; 5m; \
              told; goneIps 0; reads 0; why none; settled; kept
          NM-S7 leaves the pool after a read that began the horizon later, and is told once \
            | use 2; 1s; afresh; hide; resync; 1s; unsettled; 61s; reads 1; dropped; \
              told USED_ADDRESS_GONE; value USED_IPS_GONE node1 1; detail pod-1 (10.16.0.0); \
              stands OK USED_ADDRESS_GONE true; is 10/2; pool 10; 10m; resync; 1s; \
              told USED_ADDRESS_GONE; reads 1
          NM-S8 an operator that starts, or takes over, tells it of the object as it finds it \
            | @node3 create p=8 P=1 u=1; 1s; contains 1; told; 61s; told USED_ADDRESS_GONE; \
              without 1
          """)
  void story(String what, String story) {
    NodeStory.run(world, what, story);
  }

  @Test
  @DisplayName("NM-S8 names ten pods at most")
  void boundedNames() {
    ScriptedNode other = world.provider.prepared("node2");
    Map<IpAddress, UsedAddress> used = new TreeMap<>();
    for (int i = 1; i <= 30; i++) {
      used.put(IpAddress.parse("10.9.0." + i), new UsedAddress("default/web-" + i, ""));
    }
    world.create(Samples.node("node2", 8, 0, 0).withUsed(used));
    world.run(Duration.ofMinutes(3));

    assertThat(other.singles().size()).isGreaterThanOrEqualTo(8);
    assertThat(world.told).containsExactly("node2 USED_ADDRESS_GONE");
    assertThat(world.metrics.value(Metric.USED_IPS_GONE, "node2")).isEqualTo(30);
    assertThat(world.report("node2").blocked().orElseThrow().detail())
        .contains("30 addresses that pods hold")
        .contains("default/web-10 (10.9.0.10)")
        .doesNotContain("web-11")
        .endsWith("and 20 more");
  }
}
