package io.tidemark.engine;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.cluster.run.OwnThreads;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.metrics.Meters;
import io.tidemark.node.config.EngineConfig;
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
import io.tidemark.time.Cancellable;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The environment of a {@link Checkup}: threads, a cloud door that lets reads pass alone, and the
 * nodes, read once. Its time is shared out, so that there is a report within it, whatever does not
 * answer. Made and ended on the program's main thread.
 */
public final class ProviderCheckup implements AutoCloseable {
  /** Of the time, until the nodes must be read. */
  private static final double NODES_PART = 0.25;

  /** Of the time, until the provider must have ended; the rest is for the report. */
  private static final double CHECKUP_PART = 0.94;

  /** Of the time, until a provider is not waited for any more that does not keep to it. */
  private static final double LAST_PART = 0.97;

  private final OwnThreads threads;
  private final String provider;
  private final long beganNanos;
  private final Checkup checkup;
  private final Optional<NodeBackend> backend;
  private final Cancellation cancellation = new Cancellation();

  private ProviderCheckup(
      OwnThreads threads,
      long beganNanos,
      ProviderFactory factory,
      Optional<NodeBackend> backend,
      EngineConfig config,
      ConfigSource source) {
    this.threads = threads;
    this.beganNanos = beganNanos;
    this.provider = factory.name();
    this.backend = backend;
    SecureRandom random = new SecureRandom();
    StandardCloudCallsFactory calls =
        new StandardCloudCallsFactory(
            EngineSetup.calls(config),
            threads.ports().timer(),
            threads.ports().cloud(),
            random,
            Meters.none(),
            LearnedRates.NONE,
            Fence.OPEN);
    this.checkup =
        factory.checkup(
            new ProviderContext(
                config.clusterName(),
                BackendSettings.of(source, () -> backend.flatMap(NodeBackend::clusterUid)),
                threads.ports().timer(),
                random,
                policy -> new ReadOnlyCalls(calls.create(policy), threads.ports().timer()),
                Meters.none(),
                OperatorNotices.NONE));
  }

  /**
   * Puts it together, with the settings that an engine there has; of the cloud nothing is asked
   * yet.
   *
   * @param nodes where the nodes are; empty to look without them
   * @throws io.tidemark.error.IpamException when settings are refused or nodes cannot be read
   */
  public static ProviderCheckup assemble(
      ProviderFactory factory, Optional<NodeBackend.Opener> nodes, ConfigSource source) {
    ConfigProblems problems = new ConfigProblems();
    EngineConfig config = EngineConfig.read(source, problems);
    problems.throwIfAny();
    OwnThreads threads = OwnThreads.start(config.maintenance().parallelCalls());
    long beganNanos = threads.ports().timer().time().nanos();
    Optional<NodeBackend> backend = Optional.empty();
    try {
      backend =
          nodes.map(
              opener ->
                  opener.open(
                      new Backend.Environment(
                          source,
                          threads.ports().timer(),
                          threads.ports().store(),
                          new SecureRandom(),
                          true)));
      return new ProviderCheckup(threads, beganNanos, factory, backend, config, source);
    } catch (RuntimeException e) {
      backend.ifPresent(NodeBackend::close);
      threads.close();
      throw e;
    }
  }

  /**
   * Reads the nodes and looks at everything.
   *
   * @param limit since {@link #assemble} began; the stage ends before it is over
   */
  public CompletionStage<List<Finding>> run(Duration limit) {
    CallContext context =
        CallContext.of(
            "", Priority.of(Priority.Rank.VERIFY), instant(limit, CHECKUP_PART), cancellation);
    return endingBy(instant(limit, NODES_PART), nodes(), Optional.empty())
        .thenCompose(
            nodes ->
                endingBy(
                        instant(limit, LAST_PART),
                        checkup.run(nodes.orElseGet(List::of), context),
                        List.of(unfinished()))
                    .thenApply(found -> nodes.isPresent() ? found : withUnread(found)));
  }

  private long instant(Duration limit, double part) {
    return beganNanos + (long) (limit.toNanos() * part);
  }

  /** The stage, or a substitute when it does not end in time. */
  private <T> CompletionStage<T> endingBy(long nanos, CompletionStage<T> stage, T otherwise) {
    CompletableFuture<T> end = stage.toCompletableFuture().copy();
    Cancellable timer = threads.ports().timer().at(nanos, () -> end.complete(otherwise));
    end.whenComplete((value, thrown) -> timer.cancel());
    return end;
  }

  private Finding unfinished() {
    return Finding.of(
        "provider",
        provider,
        Finding.Verdict.UNFINISHED,
        "the check did not end in time",
        "Give it more time with --timeout.");
  }

  private static List<Finding> withUnread(List<Finding> found) {
    List<Finding> all = new ArrayList<>();
    all.add(
        Finding.of(
            "nodes",
            "their list",
            Finding.Verdict.UNFINISHED,
            "the nodes were not read in time; the other checks ran without them",
            "Check --nodes, or the way to the cluster's API."));
    all.addAll(found);
    return all;
  }

  private CompletionStage<Optional<List<NodeResource>>> nodes() {
    if (backend.isEmpty()) {
      return CompletableFuture.completedStage(Optional.of(List.of()));
    }
    Reading reading = new Reading();
    NodeResourceStore.Watch watch = backend.get().store().watch(reading);
    return reading.all.thenApply(
        nodes -> {
          watch.close();
          return Optional.of(nodes);
        });
  }

  /** Ends without waiting for anything. */
  @Override
  public void close() {
    cancellation.cancel();
    checkup.close();
    backend.ifPresent(NodeBackend::close);
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
