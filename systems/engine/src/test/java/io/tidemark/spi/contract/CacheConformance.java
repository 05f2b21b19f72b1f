package io.tidemark.spi.contract;

import static io.tidemark.spi.contract.ContractWorld.assertAllocated;
import static io.tidemark.spi.contract.ContractWorld.known;
import static io.tidemark.spi.contract.ContractWorld.wanting;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Capability;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.Hang;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The tests of a provider's memory between requests (node-manager 13 D-2, D-18, 9.3 NM-L4, NM-L7).
 * Subclassed through {@link AllocationContract}.
 */
abstract class CacheConformance extends FaultConformance {
  private static final int READERS = 3;

  private static void allocate(ContractWorld world, NodeOperations node, int count) {
    AllocationAction action = wanting(node, count);
    assertAllocated(
        world.await(
            action.onInterface().isPresent()
                ? node.allocateIps(action, world.context())
                : node.createInterface(action, world.context())));
  }

  private static long startedGeneration(ContractWorld world) {
    SyncOutcome outcome = world.readInstance("node1");
    assertThat(outcome).isInstanceOf(SyncOutcome.Synced.class);
    return ((SyncOutcome.Synced) outcome).startedGeneration();
  }

  @Test
  @DisplayName("D-2 NM-L4 generations rise: a read after a change covers it, one before does not")
  void generationsRise() {
    for (int round = 0; round < 4; round++) {
      long readBefore = startedGeneration(world);
      long known = known(node).generation();
      allocate(world, node, 2);
      long changed = known(node).generation();
      assertThat(changed).isGreaterThan(known).isGreaterThan(readBefore);
      assertThat(startedGeneration(world)).isGreaterThanOrEqualTo(changed);
    }
  }

  @Test
  @DisplayName("NM-L4 an inventory is the same object until something changed, and never changes")
  void immutableInventory() {
    allocate(world, node, 3);
    Inventory before = node.inventory();
    world.await(world.provider.resync(world.context()));
    assertThat(node.inventory()).isEqualTo(before);
    assertThat(node.inventory()).isSameAs(node.inventory());
    int size = ((Inventory.Known) before).interfaces().get(0).size();
    allocate(world, node, 2);
    assertThat(((Inventory.Known) before).interfaces().get(0).size()).isEqualTo(size);
    assertThat(node.inventory()).isNotEqualTo(before);
  }

  @Test
  @DisplayName("A forgotten instance is unknown again, and read again when it is asked for")
  void forgotten() {
    allocate(world, node, 3);
    world.provider.deleteInstance(world.instance("node1"));
    assertThat(world.provider.poolQuota()).isNotEmpty();
  }

  private static List<Object> plans(ContractWorld world) {
    NodeOperations node = world.node("node1", false);
    List<Object> plans = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      plans.add(node.prepareIpAllocation());
      allocate(world, node, 5);
      plans.add(node.inventory());
    }
    plans.add(node.prepareIpRelease(4, AddressSet.of()));
    plans.add(node.prepareCidrRelease(Set.of(Cidr.parse("10.0.0.5/32"))));
    plans.add(world.provider.poolQuota());
    return plans;
  }

  @Test
  @DisplayName("D-18 the same history gives the same plans, and asking twice the same answer")
  void deterministic() {
    List<Object> first = plans(world().with(NodeShape.SMALL));
    List<Object> second = plans(world().with(NodeShape.SMALL));
    assertThat(second).isEqualTo(first);
    assertThat(node.prepareIpAllocation()).isEqualTo(node.prepareIpAllocation());
  }

  @Test
  @Needs(Capability.RELEASE)
  @DisplayName("NM-L7 many threads read the cache while it changes: every answer is whole")
  void readFromManyThreads() throws InterruptedException {
    NodeResource resource = world.resource("node1", IpamSpec.of(8, 0, 0, 0));
    Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
    AtomicBoolean over = new AtomicBoolean();
    CountDownLatch reading = new CountDownLatch(READERS);
    CountDownLatch ended = new CountDownLatch(READERS);
    ExecutorService threads = Executors.newFixedThreadPool(READERS);
    try {
      for (int i = 0; i < READERS; i++) {
        threads.execute(
            () -> {
              try {
                while (!over.get()) {
                  readEverything(world, node, resource);
                  reading.countDown();
                }
              } catch (RuntimeException | AssertionError e) {
                broken.add(e);
                reading.countDown();
              }
              ended.countDown();
            });
      }
      assertThat(reading.await(Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
      for (int round = 0; round < 30; round++) {
        world.run(world.cloud.changePause());
        allocate(world, node, 4);
        world.run(world.cloud.changePause());
        ReleaseAction surplus = node.prepareIpRelease(4, AddressSet.of());
        assertThat(world.await(node.release(surplus, world.context())))
            .isInstanceOf(ReleaseOutcome.Released.class);
        world.await(world.provider.resync(world.context()));
      }
      over.set(true);
      assertThat(ended.await(Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      threads.shutdownNow();
    }
    assertThat(broken).isEmpty();
  }

  private static void readEverything(
      ContractWorld world, NodeOperations node, NodeResource resource) {
    Inventory.Known now = known(node);
    AddressSet all = AddressSet.of();
    int size = 0;
    for (AttachedInterface each : now.interfaces()) {
      all = all.plus(each.singles());
      size += each.size();
    }
    assertThat(all.size()).as("no address twice").isEqualTo(size);
    assertThat(size % 4).as("never half a change").isZero();
    node.prepareIpAllocation();
    node.prepareIpRelease(1, AddressSet.of());
    node.withProviderStatus(resource);
    world.provider.poolQuota();
  }
}
