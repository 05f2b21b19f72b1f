package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.UsedAddress;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A node whose instance cannot be looked at shows the numbers of its object")
class WrittenNumbersTest {
  private static final IpAddress FIRST = IpAddress.parse("10.0.0.5");
  private static final IpAddress SECOND = IpAddress.parse("10.0.0.6");
  private static final IpAddress THIRD = IpAddress.parse("10.0.0.7");

  private final NodeWorld world = NodeWorld.started(EngineConfig.defaults());

  private static NodeResource full(NodeResource node) {
    return node.withPool(PodIpPool.of(Map.of("eni-1", AddressSet.of(FIRST, SECOND, THIRD))))
        .withUsed(
            Map.of(
                FIRST, new UsedAddress("default/a", "eni-1"),
                SECOND, new UsedAddress("default/b", "eni-1")));
  }

  @ParameterizedTest
  @EnumSource(BlockedReason.class)
  @DisplayName("whatever the reason is")
  void untouchable(BlockedReason reason) {
    shows(new Inventory.Untouchable(new Blocked(reason, "as the test wants it")), reason);
  }

  static Stream<Inventory> inventories() {
    return Stream.of(
        new Inventory.LimitsUnknown("m5.unheard-of"),
        new Inventory.InstanceMissing(true),
        new Inventory.InstanceMissing(false));
  }

  @ParameterizedTest
  @MethodSource("inventories")
  @DisplayName("whatever is not known")
  void unknown(Inventory inventory) {
    shows(
        inventory,
        inventory instanceof Inventory.LimitsUnknown
            ? BlockedReason.LIMITS_UNKNOWN
            : BlockedReason.INSTANCE_MISSING);
  }

  @Test
  @DisplayName("with the addresses that it needs, when the limits of the instance are not known")
  void needed() {
    shows(new Inventory.LimitsUnknown("m5.unheard-of"), BlockedReason.LIMITS_UNKNOWN);

    assertThat(world.report("node1").needed()).isEqualTo(6);
  }

  private void shows(Inventory inventory, BlockedReason reason) {
    world.provider.prepared("node1").override = Optional.of(inventory);
    NodeResource object = full(Samples.node("node1", 8, 0, 0));
    world.create(object);
    world.run(Duration.ofMinutes(1));

    assertThat(world.availableUsed("node1")).isEqualTo("3/2");
    assertThat(world.blockedReason("node1")).contains(reason);
    assertThat(world.explain("node1").numbers()).containsEntry("used", "2");
    assertThat(world.explain("node1").numbers().get("available")).startsWith("3");
    assertThat(world.resource("node1").sameSpec(object)).isTrue();
    assertThat(world.resource("node1").sameStatus(object)).isTrue();

    world.use("node1", AddressSet.of(FIRST));
    world.run(Duration.ofSeconds(1));
    assertThat(world.availableUsed("node1")).isEqualTo("3/1");
  }

  @Test
  @DisplayName("without an instance id, too")
  void incomplete() {
    world.create(full(NodeResource.named("node1")));
    world.run(Duration.ofSeconds(1));

    assertThat(world.availableUsed("node1")).isEqualTo("3/2");
    assertThat(world.blockedReason("node1")).contains(BlockedReason.NO_INSTANCE_ID);
    assertThat(world.explain("node1").numbers()).containsEntry("used", "2");
    world.use("node1", AddressSet.of(FIRST));
    world.run(Duration.ofSeconds(1));
    assertThat(world.availableUsed("node1")).isEqualTo("3/1");
  }
}
