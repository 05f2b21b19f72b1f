package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A cloud whose answers come late, wrong, twice as late or not at all, at random, on threads of its
 * own, until it is told to be calm. It notes what no engine may do to a provider. Thread-safe.
 */
final class RandomProvider implements AllocationImplementation {
  static final PoolId POOL = new PoolId("subnet-1");

  final LockCheck locks;
  final Queue<String> violations = new ConcurrentLinkedQueue<>();
  final AtomicInteger changes = new AtomicInteger();
  final AtomicInteger mostAtOnce = new AtomicInteger();
  final AtomicInteger faults = new AtomicInteger();
  final AtomicLong generation = new AtomicLong();

  private final AtomicInteger underWay = new AtomicInteger();
  private final ImmediateCalls calls = new ImmediateCalls();
  private final Map<String, RandomNode> nodes = new ConcurrentHashMap<>();
  private final Random random;
  private final TaskScheduler scheduler;
  private final Executor threads;
  private volatile boolean calm;

  RandomProvider(long seed, TaskScheduler scheduler, Executor threads, LockCheck locks) {
    this.random = new Random(seed);
    this.scheduler = scheduler;
    this.threads = threads;
    this.locks = locks;
  }

  /** From now on everything works. */
  void calmDown() {
    calm = true;
  }

  /** A number below {@code bound}; 0, which stands for success, once it is calm. */
  int fate(int bound) {
    int drawn = calm ? 0 : random.nextInt(bound);
    if (drawn != 0) {
      faults.incrementAndGet();
    }
    return drawn;
  }

  /** Runs {@code work} a little later on a thread of the cloud. */
  <T> CompletionStage<T> later(Supplier<T> work) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    scheduler.after(
        Duration.ofNanos(random.nextInt(2_000_000)),
        () ->
            threads.execute(
                () -> {
                  try {
                    answer.complete(work.get());
                  } catch (RuntimeException broken) {
                    answer.completeExceptionally(broken);
                  }
                }));
    return answer;
  }

  void changeBegins() {
    changes.incrementAndGet();
    mostAtOnce.accumulateAndGet(underWay.incrementAndGet(), Math::max);
  }

  void changeEnds() {
    underWay.decrementAndGet();
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.RELEASE);
  }

  @Override
  public Duration readHorizon() {
    return Duration.ZERO;
  }

  @Override
  public Duration overlayExpiry() {
    return Duration.ZERO;
  }

  @Override
  public NodeOperations createNode(NodeSettings settings, NodeResource resource) {
    locks.leaving("createNode");
    return nodes.computeIfAbsent(
        resource.instanceId().orElseThrow(),
        id ->
            new RandomNode(
                this, Cidr.parse("10." + nodes.size() / 250 + "." + nodes.size() % 250 + ".0/24")));
  }

  @Override
  public CloudCalls calls() {
    return calls;
  }

  @Override
  public Map<PoolId, PoolQuota> poolQuota() {
    locks.leaving("poolQuota");
    return Map.of(POOL, new PoolQuota("zone-a", 1000, 0));
  }

  @Override
  public CompletionStage<SyncOutcome> resync(CallContext context) {
    locks.leaving("resync");
    long started = generation.get();
    if (fate(20) == 1) {
      throw new IllegalStateException("a provider that breaks its promise");
    }
    int fate = fate(10);
    return later(
        () -> {
          if (fate == 1) {
            return RandomNode.failed();
          }
          nodes.values().forEach(node -> node.read(started));
          return new SyncOutcome.Synced(started);
        });
  }

  @Override
  public CompletionStage<SyncOutcome> instanceSync(InstanceId id, CallContext context) {
    locks.leaving("instanceSync");
    long started = generation.get();
    int fate = fate(5);
    if (fate == 1) {
      return CompletableFuture.failedStage(new IllegalStateException("no value but an exception"));
    }
    return later(
        () -> {
          if (fate == 2) {
            return RandomNode.failed();
          }
          RandomNode node = nodes.get(id.text());
          if (node != null) {
            node.read(started);
          }
          return new SyncOutcome.Synced(started);
        });
  }

  @Override
  public Map<String, AddressSet> describedInterfaces(NodeResource resource) {
    return resource.eniStatus().map(EniStatus::addressesByInterface).orElse(Map.of());
  }

  @Override
  public void deleteInstance(InstanceId id) {
    locks.leaving("deleteInstance");
  }

  @Override
  public void close() {}

  /** The cloud's addresses of an instance. */
  AddressSet truth(String instanceId) {
    RandomNode node = nodes.get(instanceId);
    return node == null ? AddressSet.of() : node.truth();
  }

  /** The findings of every node's own checks. */
  List<String> violations() {
    return List.copyOf(violations);
  }
}
