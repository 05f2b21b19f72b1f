package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.config.SharedKey;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.TestMeters;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.node.config.EngineConfig.MaintenanceConfig;
import io.tidemark.node.config.EngineConfig.ReleaseConfig;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.resource.UsedAddress;
import io.tidemark.testing.Samples;
import io.tidemark.time.BackoffPolicy;
import io.tidemark.time.HandScheduler;
import io.tidemark.time.Lanes;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.WorkerPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Threads are real, time is not: it passes in small steps, each of which lasts until the threads
 * have done all that it caused. So no deadline passes because the machine is slow.
 */
@DisplayName("A hundred nodes on real threads, with faults everywhere (node-manager 9.3)")
class StressTest {
  private static final int NODES = 100;
  private static final int PRE_ALLOCATE = 4;
  private static final int WILD_ROUNDS = 90;
  private static final int ROUNDS_MAX = WILD_ROUNDS + 5_000;
  private static final int STEPS_PER_ROUND = 5;
  private static final Duration STEP = Duration.ofMillis(2);

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final LockCheck locks = new LockCheck(Integer.getInteger("tidemark.stress.every", 40));
  private final HandScheduler scheduler = new HandScheduler();
  private final Outstanding outstanding = new Outstanding();
  private final WorkerPool lanes = new WorkerPool("stress-lanes", 4, 1_000_000);
  private final WorkerPool cloud = new WorkerPool("stress-cloud", 4, 1_000_000);
  private final PooledEffectRunner requests =
      new PooledEffectRunner("stress-store", 4, 100_000, scheduler);
  private final RandomProvider provider =
      new RandomProvider(seed, scheduler, outstanding.counted(cloud), locks);
  private final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
  private final NodeResourceStore agents = server.client(scheduler);
  private boolean calm;

  private final EngineConfig config =
      new EngineConfig(
          "default",
          SharedKey.Profile.TIDEMARK,
          new MaintenanceConfig(
              4,
              false,
              Duration.ofMillis(100),
              Duration.ofMillis(20),
              2,
              Duration.ofMillis(300),
              Duration.ofSeconds(1)),
          new ReleaseConfig(true, Duration.ofMillis(30), false, 1),
          Optional.empty(),
          new BackoffPolicy(
              Duration.ofMillis(5), 2, Duration.ofMillis(50), true, true, Duration.ofMinutes(10)),
          Optional.empty());

  private final NodeResourceStore client =
      server.client(
          scheduler,
          InMemoryNodeResourceStore.DeliveryDelay.NONE,
          (operation, name) -> {
            locks.leaving(operation + " of the API server");
            int fate = provider.fate(12);
            return fate == 1
                ? Optional.of(new StoreResult.Conflict())
                : fate == 2 ? Optional.of(new StoreResult.Failed("no luck")) : Optional.empty();
          });

  private final NodeManager manager =
      new NodeManager(
          config,
          new NodeManagerPorts(
              provider,
              client,
              scheduler,
              new Lanes(outstanding.counted(lanes), 4),
              outstanding.counted(requests),
              new TestMeters().meters,
              this::pods,
              random));

  private OptionalInt pods(String node) {
    locks.leaving("the count of pods");
    return OptionalInt.empty();
  }

  @AfterEach
  void close() {
    manager.close();
    lanes.close();
    cloud.close();
    requests.close();
  }

  @Test
  @DisplayName(
      "NM-L1 NM-L7 NM-L8 no lock at any door, one order of locks, one change per node at a time")
  void faultsEverywhere() throws Exception {
    for (int i = 0; i < NODES; i++) {
      server.create(node(i, 0));
    }
    Object started = manager.start();
    client.watch(manager.watcher());
    List<String> restless = List.of("wild");
    for (int round = 0; !restless.isEmpty() && round < ROUNDS_MAX; round++) {
      if (round == WILD_ROUNDS) {
        calm = true;
        provider.calmDown();
        server.all().forEach(resource -> usesOf(resource.name(), 3));
      }
      round(round);
      restless = calm ? restless() : List.of("wild");
    }

    String about = "seed " + seed + ", " + started;
    assertEquals(List.of(), restless, about);
    assertEquals(List.of(), provider.violations(), about);
    assertEquals(List.of(), locks.heldOutside(), about);
    assertEquals(List.of(), locks.cycles(), about);
    assertThat(provider.mostAtOnce.get()).as("calls at once; %s", about).isGreaterThan(1);
    assertThat(provider.faults.get()).as("faults; %s", about).isGreaterThan(100);
    assertThat(provider.changes.get()).as("changes; %s", about).isGreaterThan(NODES / 2);
    assertThat(locks.checks()).as("checks of locks; %s", about).isGreaterThan(100);
  }

  private static NodeResource node(int number, int life) {
    return Samples.node("node" + number)
        .instanceId("i-" + number + "-" + life)
        .preAllocate(PRE_ALLOCATE)
        .build();
  }

  /** Lets time pass, with what people, pods and agents do while the threads are busy. */
  private void round(int number) throws InterruptedException {
    for (int step = 0; step < STEPS_PER_ROUND; step++) {
      scheduler.advance(STEP);
      if (step == 0) {
        locks.sample();
      }
      for (int i = step; i < NODES; i += STEPS_PER_ROUND) {
        if (!calm && random.nextInt(20) == 0) {
          event(i, number);
        }
        agentActs("node" + i);
      }
      outstanding.awaitNone();
    }
  }

  private void event(int number, int life) {
    String name = "node" + number;
    switch (random.nextInt(8)) {
      case 0 -> server.delete(name);
      case 1 -> server.create(node(number, life));
      case 2 -> manager.requestInstanceSync(name);
      case 3 -> manager.requestMaintenance(name);
      case 4 -> manager.resync();
      default -> usesOf(name, random.nextInt(20));
    }
  }

  /** Pods take or leave addresses of the pool, those on their way out excepted. */
  private void usesOf(String name, int count) {
    write(
        name,
        resource -> {
          Map<IpAddress, UsedAddress> used = new TreeMap<>();
          for (IpAddress address : resource.pool().addresses()) {
            HandshakeState state = resource.releaseIps().get(address);
            boolean free = state == null || state == HandshakeState.DO_NOT_RELEASE;
            if (free && used.size() < count) {
              used.put(address, new UsedAddress("pod", ""));
            }
          }
          return resource.withUsed(used);
        });
  }

  private void agentActs(String name) {
    write(name, resource -> resource.withReleaseIps(NodeWorld.answered(resource)));
  }

  private void write(String name, java.util.function.UnaryOperator<NodeResource> change) {
    server
        .find(name)
        .ifPresent(
            now -> {
              Object ignored =
                  agents.updateStatus(now, change.apply(now)); // a conflict: next round
            });
  }

  private List<String> restless() {
    List<String> restless = new ArrayList<>();
    for (NodeResource resource : server.all()) {
      Optional<NodeReport> report = manager.report(resource.name());
      AddressSet held = provider.truth(resource.instanceId().orElseThrow());
      boolean still =
          report.isPresent()
              && report.get().settled()
              && report.get().state() == NodeState.OK
              && report.get().available() == resource.used().size() + PRE_ALLOCATE
              && resource.releaseIps().isEmpty()
              && resource.pool().addresses().equals(held);
      if (!still) {
        restless.add(resource.name() + " " + report + " holds " + held);
      }
    }
    return restless;
  }
}
