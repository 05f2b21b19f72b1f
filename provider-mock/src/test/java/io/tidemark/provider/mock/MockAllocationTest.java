package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.mock.cloud.CloudClient;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The mock provider")
class MockAllocationTest {
  private static final Duration AGE = Duration.ofMinutes(1);

  private final ProviderWorld world = ProviderWorld.calm();

  private static InterfaceId litter(ProviderWorld world, String cluster) throws Exception {
    Map<String, String> tags =
        Map.of("tidemark.io/cluster", cluster, "tidemark.io/token", "t" + cluster);
    return new CloudClient(world.cloud).create(tags, 2, 0, "t" + cluster).id();
  }

  @Test
  @DisplayName("moves what a pool has by its own answers, and corrects it at the next read")
  void quotas() {
    NodeOperations node = world.node("a", "m5.large");
    int free = world.cloud.state().subnet("subnet-a").free();
    int blocks = world.cloud.state().subnet("subnet-a").freeBlocks().getAsInt();
    PoolId pool = new PoolId("subnet-a");
    assertThat(world.provider.poolQuota()).containsExactly(Map.entry(pool, quota(free, blocks)));

    world.allocate(node, 8);
    assertThat(world.provider.poolQuota()).containsEntry(pool, quota(free - 8, blocks));
    world.allocate(node, 1);
    world.allocate(node, 4);
    assertThat(world.provider.poolQuota())
        .containsEntry(pool, quota(world.cloud.state().subnet("subnet-a").free(), blocks));
    world.resync();
    assertThat(world.provider.poolQuota().values())
        .extracting(PoolQuota::freeBlocks)
        .containsExactly(OptionalInt.of(blocks - 1));
  }

  private static PoolQuota quota(int free, int freeBlocks) {
    return new PoolQuota("zone-a", free, 0, OptionalInt.of(freeBlocks), false);
  }

  @Test
  @DisplayName("collects its own litter at the second sight a minute later, and nobody else's")
  void collectsLitter() throws Exception {
    InterfaceId own = litter(world, "test");
    InterfaceId foreign = litter(world, "other");
    InterfaceId untagged = new CloudClient(world.cloud).create(Map.of(), 0, 0, "untagged").id();

    world.resync();
    world.pass(AGE.minusNanos(1));
    world.resync();
    assertThat(world.cloud.state().find(own)).isPresent();
    world.pass(Duration.ofNanos(1));
    world.resync();
    assertThat(world.cloud.state().find(own)).isEmpty();
    world.pass(AGE.multipliedBy(2));
    world.resync();
    assertThat(world.cloud.state().find(foreign)).isPresent();
    assertThat(world.cloud.state().find(untagged)).isPresent();
  }

  @Test
  @DisplayName("tries again to collect what could not be deleted")
  void collectsLater() throws Exception {
    ProviderWorld bad = ProviderWorld.withFaults("DeleteNetworkInterface#1=fail:Unavailable");
    InterfaceId own = litter(bad, "test");
    bad.resync();
    bad.pass(AGE);
    bad.resync();
    assertThat(bad.cloud.state().find(own)).isPresent();
    bad.resync();
    assertThat(bad.cloud.state().find(own)).isEmpty();
  }

  @Test
  @DisplayName("a full read forgets only instances that the cloud itself denies")
  void fullRead() {
    NodeOperations stays = world.node("a", "m5.large");
    NodeOperations goes = world.node("b", "m5.large");
    world.cloud.state().terminate("i-b");

    assertThat(world.resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(stays.inventory()).isInstanceOf(Inventory.Known.class);
    assertThat(goes.inventory()).isEqualTo(new Inventory.InstanceMissing(true));
  }
}
