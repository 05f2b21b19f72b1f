package io.tidemark.operator.wiring;

import io.tidemark.config.ConfigSource;
import io.tidemark.config.CoreConfig;
import io.tidemark.metrics.NoMetrics;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.Priority;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.Checkup;
import io.tidemark.spi.Finding;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * What a {@link Checkup} needs around it: threads, a cloud door that lets reads pass alone, and the
 * nodes, read once. Made and ended on the program's main thread.
 */
public final class CheckupEngine implements AutoCloseable {
  private final EngineThreads threads;
  private final Checkup checkup;
  private final Optional<NodeHome> home;
  private final Cancellation cancellation = new Cancellation();

  private CheckupEngine(
      EngineThreads threads,
      ProviderFactory factory,
      Optional<NodeHome> home,
      CoreConfig config,
      ConfigSource source) {
    this.threads = threads;
    this.home = home;
    SecureRandom random = new SecureRandom();
    StandardCloudCallsFactory calls =
        new StandardCloudCallsFactory(
            EngineSettings.calls(config),
            threads.timer(),
            threads.cloud(),
            random,
            NoMetrics.CLOUD,
            LearnedRates.NONE,
            Fence.OPEN);
    this.checkup =
        factory.checkup(
            new ProviderContext(
                config.clusterName(),
                HomeSettings.of(source, () -> home.flatMap(NodeHome::clusterUid)),
                threads.timer(),
                random,
                policy -> new ReadOnlyCalls(calls.create(policy), threads.timer()),
                NoMetrics.INTERFACES,
                OperatorNotices.NONE));
  }

  /**
   * Puts it together, with the settings that an engine there has; of the cloud nothing is asked
   * yet.
   *
   * @param nodes where the nodes are; empty to look without them
   * @throws io.tidemark.error.IpamException when settings are refused or nodes cannot be read
   */
  public static CheckupEngine assemble(
      ProviderFactory factory,
      Optional<NodeHome.Opener> nodes,
      CoreConfig config,
      ConfigSource source) {
    EngineThreads threads = EngineThreads.start(config.engine().parallelCalls());
    Optional<NodeHome> home = Optional.empty();
    try {
      home = nodes.map(opener -> opener.open(threads.timer(), threads.store(), true));
      return new CheckupEngine(threads, factory, home, config, source);
    } catch (RuntimeException e) {
      home.ifPresent(NodeHome::close);
      threads.close();
      throw e;
    }
  }

  /** Reads the nodes and looks at everything, within {@code limit}. */
  public CompletionStage<List<Finding>> run(Duration limit) {
    long deadline = threads.timer().time().nanos() + limit.toNanos();
    CallContext context =
        CallContext.of("", Priority.of(Priority.Rank.VERIFY), deadline, cancellation);
    return nodes().thenCompose(nodes -> checkup.run(nodes, context));
  }

  private CompletionStage<List<NodeResource>> nodes() {
    if (home.isEmpty()) {
      return CompletableFuture.completedStage(List.of());
    }
    Reading reading = new Reading();
    NodeResourceStore.Watch watch = home.get().store().watch(reading);
    return reading.all.thenApply(
        nodes -> {
          watch.close();
          return nodes;
        });
  }

  /** Ends without waiting for anything. */
  @Override
  public void close() {
    cancellation.cancel();
    checkup.close();
    home.ifPresent(NodeHome::close);
    threads.close();
  }

  /** Every node that can be read, by name. */
  private static final class Reading implements NodeResourceStore.Watcher {
    private final Map<String, NodeResource> nodes = new ConcurrentSkipListMap<>();
    private final CompletableFuture<List<NodeResource>> all = new CompletableFuture<>();

    @Override
    public void upserted(NodeResource resource) {
      nodes.put(resource.name(), resource);
    }

    @Override
    public void deleted(String name) {
      nodes.remove(name);
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      // what cannot be read names no resources
    }

    @Override
    public void synced() {
      all.complete(List.copyOf(nodes.values()));
    }
  }
}
