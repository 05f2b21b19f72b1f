package io.tidemark.engine;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.cluster.run.RunThreads;
import io.tidemark.cluster.run.SystemRun;
import io.tidemark.cluster.run.SystemSetup;
import io.tidemark.node.Explanation;
import io.tidemark.node.NodeReport;
import io.tidemark.resilience.BucketState;
import io.tidemark.resilience.CallCounts;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import io.tidemark.time.EffectSite;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * An engine inside another program: keeps the pools of all nodes of one store between their
 * watermarks, from {@link #start} to {@link #stop}.
 *
 * <pre>{@code
 * try (Tidemark tidemark =
 *     Tidemark.builder().provider("mock").store(DirectoryBackend.at(folder)).build()) {
 *   tidemark.start();
 *   ...
 *   tidemark.stop(Duration.ofSeconds(10));
 * }
 * }</pre>
 *
 * <p>Queries can be called from any thread at any time and never block; before the start there are
 * no nodes. {@code start}, {@code stop} and {@code close} can block; call them from one thread.
 * Nothing is static: a program can have several engines, each with its own store.
 */
public final class Tidemark extends SystemRun<NodeBackend, Assembly> {
  /** The requests for the identity have bounds of their own, at most 10 minutes each. */
  private static final Duration IDENTITY_MAX = Duration.ofHours(1);

  Tidemark(EngineSetup setup) {
    super(
        new SystemSetup<>(
            "engine",
            setup.backend(),
            setup.source(),
            setup.random(),
            setup.readOnly(),
            setup.threads(),
            setup.config().maintenance().parallelCalls(),
            (backend, threads, changed) -> prepare(setup, backend, threads, changed)));
  }

  /** Builds an engine; provider and store are required. */
  public static TidemarkBuilder builder() {
    return new TidemarkBuilder();
  }

  private static CompletionStage<Supplier<Assembly>> prepare(
      EngineSetup setup, NodeBackend backend, RunThreads threads, Consumer<String> changed) {
    return threads
        .store()
        .run(new EffectSite("clusterUid", ""), IDENTITY_MAX, backend::clusterUid)
        .stage()
        .thenApply(uid -> () -> new Assembly(setup, threads, backend, uid, changed));
  }

  /** The state of all nodes, by name. */
  public List<NodeReport> reports() {
    return work().map(it -> it.manager().reports()).orElseGet(List::of);
  }

  /** The state of one node; empty for an unknown name. */
  public Optional<NodeReport> report(String name) {
    return work().flatMap(it -> it.manager().report(name));
  }

  /**
   * The explanation of a node's current state, as a snapshot: its watermarks and numbers, what the
   * next pass would do, what blocks it, and the remedy. Completes when the work that is queued for
   * the node is done; empty for an unknown name, before this process may act and after the stop.
   */
  public CompletionStage<Optional<Explanation>> explain(String name) {
    try {
      return work()
          .map(it -> untilStopped(it.manager().explain(name)))
          .orElseGet(() -> CompletableFuture.completedStage(Optional.empty()));
    } catch (RejectedExecutionException stopped) {
      return CompletableFuture.completedStage(Optional.empty());
    }
  }

  /** Requests sent to the cloud so far; none if the program supplied its own {@code CloudCalls}. */
  public CallCounts counts() {
    return work()
        .flatMap(Assembly::counts)
        .orElseGet(() -> new CallCounts(new TreeMap<>(), new TreeMap<>()));
  }

  /** The free addresses and blocks of each pool of the cloud, by id; from the cache. */
  public Map<PoolId, PoolQuota> pools() {
    return work().map(Assembly::pools).orElseGet(Map::of);
  }

  /**
   * For how many days the free addresses of each pool last at the rate of the last week; without
   * pools of which that cannot be said, such as all in the first four days of this process.
   */
  public Map<PoolId, Double> daysLeft() {
    return work().map(it -> it.manager().daysLeft()).orElseGet(Map::of);
  }

  /** The token buckets of the cloud's accounts; none if the program supplied its own calls. */
  public List<BucketState> buckets() {
    return work().map(Assembly::buckets).orElseGet(List::of);
  }

  /** The changes of the cloud whose answers are awaited, oldest first, as text. */
  public List<String> changesUnderWay() {
    return work().map(Assembly::changesUnderWay).orElseGet(List::of);
  }
}
