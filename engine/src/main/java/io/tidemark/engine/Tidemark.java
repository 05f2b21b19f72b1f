package io.tidemark.engine;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.node.Explanation;
import io.tidemark.node.NodeReport;
import io.tidemark.resilience.CallCounts;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An engine inside another program: keeps the pools of all nodes of one store between their water
 * marks, from {@link #start} to {@link #stop}.
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
public final class Tidemark implements AutoCloseable {
  private final EngineSetup setup;
  private volatile Optional<EngineRun> run = Optional.empty();
  private volatile Consumer<String> listener = name -> {};
  private @Nullable StopReport stopped;

  Tidemark(EngineSetup setup) {
    this.setup = setup;
  }

  /** Builds an engine; provider and store are required. */
  public static TidemarkBuilder builder() {
    return new TidemarkBuilder();
  }

  /**
   * Opens the store and begins to work when this process may act: at once, or with a lease when it
   * holds the lease. A second call returns the same stage.
   *
   * @return completes when nodes and cloud were read, with whether the first scan of the cloud
   *     succeeded; if not, it is retried. Completes exceptionally with an {@link IpamException}
   *     when the provider refuses its settings; then the engine does nothing until it is closed
   * @throws IpamException when the store cannot be opened; {@code STOPPED} after {@link #stop}
   */
  public synchronized CompletionStage<Boolean> start() {
    if (stopped != null) {
      throw new IpamException(CoreError.STOPPED, "the engine was stopped; build a new one");
    }
    if (run.isEmpty()) {
      run = Optional.of(EngineRun.start(setup, name -> listener.accept(name)));
    }
    return run.get().started();
  }

  /**
   * Completes when this process may act, which another leader can delay; not before the start and
   * not while another process leads.
   */
  public CompletionStage<?> turn() {
    return run.<CompletionStage<?>>map(it -> it.backend().turn()).orElseGet(CompletableFuture::new);
  }

  /**
   * Completes, with the reason, when this process lost its lease and must not change anything any
   * more. Then stop the engine; a new one can wait for the lease again.
   */
  public CompletionStage<String> lost() {
    return run.map(it -> it.backend().lost()).orElseGet(CompletableFuture::new);
  }

  /**
   * Why the engine does not maintain nodes now, or could not after a takeover, one sentence each;
   * empty when the engine is ready. Being on standby is not a reason.
   */
  public List<String> unready() {
    return run.map(EngineRun::unready).orElseGet(() -> List.of("the engine was not started"));
  }

  /** Why timer and lanes have stopped, as a sentence; empty while they run. */
  public Optional<String> unhealthy() {
    return run.flatMap(EngineRun::unhealthy);
  }

  /** Whether this process may change the cloud, if several processes could. */
  public NodeBackend.Leading leading() {
    return run.map(it -> it.backend().leading()).orElse(NodeBackend.Leading.STANDBY);
  }

  /** Whether all possible work is done; the next step is not the engine's. */
  public boolean isSettled() {
    return assembly(Assembly::isSettled).orElse(false);
  }

  /** The state of all nodes, by name. */
  public List<NodeReport> reports() {
    return assembly(it -> it.manager().reports()).orElseGet(List::of);
  }

  /** The state of one node; empty for an unknown name. */
  public Optional<NodeReport> report(String name) {
    return assembly(it -> it.manager().report(name)).flatMap(Function.identity());
  }

  /** The explanation of a node's current state; empty for an unknown name. */
  public CompletionStage<Optional<Explanation>> explain(String name) {
    return assembly(it -> it.manager().explain(name))
        .orElseGet(() -> CompletableFuture.completedStage(Optional.empty()));
  }

  /** Objects that cannot be read now. */
  public List<ResourceProblem> problems() {
    return run.map(it -> it.backend().refused()).orElseGet(List::of);
  }

  /** The parts of one object that cannot be read. */
  public List<ResourceProblem> problemsOf(String name) {
    return assembly(it -> it.problemsOf(name)).orElseGet(List::of);
  }

  /** Requests sent to the cloud so far; none if the program supplied its own {@code CloudCalls}. */
  public CallCounts counts() {
    return assembly(Assembly::counts)
        .flatMap(Function.identity())
        .orElseGet(() -> new CallCounts(new TreeMap<>(), new TreeMap<>()));
  }

  /**
   * Calls {@code listener} with the name of each node that is new, gone or changed its state; one
   * listener, on the lanes, which it must not block.
   */
  public void onChange(Consumer<String> listener) {
    this.listener = listener;
  }

  /**
   * The timer of the engine.
   *
   * @throws IllegalStateException before the start
   */
  public TaskScheduler timer() {
    return run.map(it -> it.threads().timer())
        .orElseThrow(() -> new IllegalStateException("start the engine first"));
  }

  /**
   * Stops in order, at most about {@code bound} later: no new change begins, changes in flight end
   * and are written, the lease is released, the store is closed, the threads end. Blocks.
   *
   * @return changes with unknown results; a second call returns the same
   */
  public synchronized StopReport stop(Duration bound) throws InterruptedException {
    if (stopped == null) {
      stopped = run.isPresent() ? run.get().stop(bound) : new StopReport(List.of(), true);
    }
    return stopped;
  }

  /** Stops without waiting for requests in flight; does nothing after {@link #stop}. Idempotent. */
  @Override
  public synchronized void close() {
    if (stopped == null) {
      stopped = run.map(EngineRun::close).orElseGet(() -> new StopReport(List.of(), true));
    }
  }

  private <T> Optional<T> assembly(Function<Assembly, T> question) {
    return run.flatMap(EngineRun::assembly).map(question);
  }
}
