package io.tidemark.it.benchmark;

import io.tidemark.cluster.PendingPods;
import io.tidemark.config.ConfigSource;
import io.tidemark.metrics.Meters;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeManagerPorts;
import io.tidemark.node.NodeReport;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import io.tidemark.time.Effect;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.Lanes;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import io.tidemark.time.WorkerPool;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The engine in real threads for the scale runs, resources in memory: as the operator wires it, the
 * numbers of threads too, without limits of its own on requests to the cloud.
 */
final class ScaleEngine implements AutoCloseable {
  private static final int QUEUE = 1_000_000;

  final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
  private final NodeResourceStore client;
  private final ThreadTaskScheduler scheduler;
  private final PooledEffectRunner cloudEffects;
  private final PooledEffectRunner storeEffects;
  private final WorkerPool lanes;
  private final StandardCloudCallsFactory calls;
  private @Nullable NodeManager manager;
  private NodeResourceStore.@Nullable Watch watch;
  private @Nullable StampedProvider provider;

  /**
   * @param scheduler ends with the engine
   * @param workers requests to the cloud at a time, each of which takes {@code delay} longer
   */
  ScaleEngine(
      ThreadTaskScheduler scheduler,
      int workers,
      Duration delay,
      ConfigSource settings,
      ProviderFactory factory) {
    this.scheduler = scheduler;
    this.client = server.client(scheduler);
    int processors = Runtime.getRuntime().availableProcessors();
    this.cloudEffects = new PooledEffectRunner("cloud", workers, QUEUE, scheduler);
    this.storeEffects = new PooledEffectRunner("store", processors, QUEUE, scheduler);
    this.lanes = new WorkerPool("lane", processors, QUEUE);
    this.calls =
        StandardCloudCallsFactory.unlimited(scheduler, slowed(cloudEffects, delay), new Random(1));
    StampedProvider account =
        new StampedProvider(
            factory.create(
                new ProviderContext(
                    "scale",
                    settings,
                    scheduler,
                    new Random(1),
                    calls,
                    Meters.none(),
                    OperatorNotices.NONE)));
    this.provider = account;
    this.manager =
        new NodeManager(
            EngineConfig.of(Map.of("background-sync-interval", "1h")),
            new NodeManagerPorts(
                account.noted(),
                client,
                scheduler,
                new Lanes(lanes, processors),
                storeEffects,
                Meters.none(),
                PendingPods.UNKNOWN,
                new Random(1)));
  }

  private static EffectRunner slowed(EffectRunner line, Duration delay) {
    if (delay.isZero()) {
      return line;
    }
    return new EffectRunner() {
      @Override
      public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
        return line.run(
            site,
            timeout,
            () -> {
              TimeUnit.NANOSECONDS.sleep(delay.toNanos());
              return leaf.call();
            });
      }
    };
  }

  /** A node's resource, with what its agent says of the cloud. */
  static NodeResource node(
      String name, String instance, int pre, String type, String subnet, String vpc, String zone) {
    return NodeResource.named(name)
        .withInstanceId(instance)
        .withIpam(IpamSpec.of(pre, 0, 0, 0))
        .withEniSpec(EniSpec.of(type, OptionalInt.of(0), subnet, vpc, zone));
  }

  /** Requests to the cloud so far. */
  long sent() {
    return calls.counts().allCalls();
  }

  /** When the provider's last read of the whole account had ended. */
  long accountReadNanos() {
    return Objects.requireNonNull(provider, "the engine was dropped").readNanos();
  }

  /** Starts scanning and waits for the first scan. */
  void start() {
    if (!manager().start().toCompletableFuture().join()) {
      throw new IllegalStateException("the first scan failed");
    }
  }

  /** Starts it, creates the resources, and waits until every node has what it needs. */
  void converge(List<NodeResource> resources) throws InterruptedException {
    start();
    create(resources);
  }

  /** Creates the resources, and waits until every node has what it needs. */
  void create(List<NodeResource> resources) throws InterruptedException {
    resources.forEach(server::create);
    watch = client.watch(manager().watcher());
    awaitDrained(resources.size());
  }

  /** The heap that is in use when all that is garbage is gone. */
  static long usedHeapBytes() throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(100);
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Another client of the server, as an agent is. */
  NodeResourceStore agent() {
    return server.client(scheduler);
  }

  /** The engine; it must not have been dropped. */
  NodeManager manager() {
    return Objects.requireNonNull(manager, "the engine was dropped");
  }

  /** Ends engine and provider and forgets them; server and cloud stay. */
  void dropEngine() {
    NodeResourceStore.Watch watching = watch;
    if (watching != null) {
      watching.close();
      watch = null;
    }
    if (manager != null) {
      manager.close();
      manager = null;
    }
    if (provider != null) {
      provider.close();
      provider = null;
    }
  }

  /** Waits until every node stands between its watermarks and everything is written. */
  private void awaitDrained(int nodes) throws InterruptedException {
    long end = SystemTime.instance().nanos() + TimeUnit.MINUTES.toNanos(10);
    while (SystemTime.instance().nanos() - end < 0) {
      if (manager().statistics().nodes() == nodes
          && manager().statistics().inDeficit() == 0
          && manager().isWritten() // ends at the first node that is not; the reports are sorted
          && manager().reports().stream().allMatch(NodeReport::settled)) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new IllegalStateException("not drained: " + manager().statistics());
  }

  @Override
  public void close() {
    dropEngine();
    cloudEffects.close();
    storeEffects.close();
    lanes.close();
    scheduler.close();
  }
}
