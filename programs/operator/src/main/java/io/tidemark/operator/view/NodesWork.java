package io.tidemark.operator.view;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.EventWording;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.run.Countdown;
import io.tidemark.cluster.run.CountedEffects;
import io.tidemark.cluster.run.RunThreads;
import io.tidemark.cluster.run.StopReport;
import io.tidemark.cluster.run.SystemWork;
import io.tidemark.nodecidr.pool.ClusterPool;
import io.tidemark.operator.report.NodeExplanation;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.resilience.CallCounts;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A controller over the nodes of an open backend, when the turn is ours; a subclass says which.
 * Thread-safe.
 */
abstract class NodesWork implements SystemWork {
  private static final Logger LOG = LoggerFactory.getLogger(NodesWork.class);

  /** Longer than the bound that a request has at the server, so that its answer is known. */
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private static final Duration LOOK = Duration.ofMillis(5);

  final Conditions conditions;
  private final Objects objects;
  final TaskScheduler scheduler;
  final CountedEffects effects;
  final WatchedNodes nodes;
  private volatile boolean begun;

  /**
   * The conditions of a run.
   *
   * @param notes on its settings
   * @param requestTimeout of one request to the API server
   * @param random for pauses; thread-safe
   * @param readOnly nothing is changed
   */
  record Conditions(
      List<String> notes, Duration requestTimeout, RandomGenerator random, boolean readOnly) {

    /** Bound of one request of a controller. */
    Duration requestBound() {
      return requestTimeout.plus(ANSWER);
    }
  }

  /**
   * The objects that a run is about.
   *
   * @param requests runs requests about them
   * @param flush writes pending changes of them
   */
  record Objects(
      Backend backend,
      ClusterNodeStore nodes,
      Function<EventWording, ObjectEvents> events,
      EffectRunner requests,
      Supplier<CompletionStage<?>> flush) {
    static Objects of(ClusterNodeBackend backend, RunThreads threads) {
      return new Objects(
          backend,
          backend.nodes(),
          backend::events,
          backend.paced(threads.store()),
          backend::flush);
    }

    static Objects of(Backend backend, ClusterPool pool) {
      return new Objects(
          backend,
          pool.nodes(),
          wording -> pool.errors(),
          pool.requests(),
          () -> pool.errors().written().thenCompose(any -> backend.flush()));
    }
  }

  NodesWork(Conditions conditions, Objects objects, RunThreads threads) {
    this.conditions = conditions;
    this.objects = objects;
    this.scheduler = threads.timer();
    this.effects = new CountedEffects(objects.requests(), scheduler.time());
    this.nodes = new WatchedNodes(objects.nodes());
  }

  // ---- for the controller

  /** Closed where nothing is changed. */
  final Fence fence() {
    return conditions.readOnly() ? () -> false : objects.backend().fence();
  }

  final ObjectEvents events(EventWording wording) {
    return conditions.readOnly() ? ObjectEvents.NONE : objects.events().apply(wording);
  }

  /** Starts the controller; ends with whether it began. */
  abstract CompletionStage<Boolean> begin();

  /** Ends it; ends with what may still have an effect, as text. */
  abstract CompletionStage<List<String>> end();

  /** After {@link #end}, or when the time for it is over: closes what the controller used. */
  void release() {}

  /** Whether the controller has nothing to do, and no node waits for time to pass. */
  abstract boolean isDone();

  // ---- what is shown

  abstract List<NodeRow> rows();

  /** One node; empty for an unknown name. */
  abstract Optional<NodeRow> row(String name);

  /** Why a node has what it has; empty for an unknown name. */
  abstract Optional<NodeExplanation> explain(String name);

  /** Requests sent so far; what only reads sends none of its changes. */
  CallCounts counts() {
    return new CallCounts(
        conditions.readOnly() ? new TreeMap<>() : effects.counts(), new TreeMap<>());
  }

  // ---- the run

  @Override
  public final CompletionStage<Boolean> start() {
    for (String note : conditions.notes()) {
      LOG.warn("Check this setting. note={}", note);
    }
    CompletableFuture<Boolean> read = new CompletableFuture<>();
    begin()
        .whenComplete(
            (working, thrown) -> {
              if (thrown != null) {
                read.completeExceptionally(thrown);
              } else if (working) {
                begun = true;
                awaitReports(nodes.names(), read);
              } else {
                read.complete(false);
              }
            });
    return read;
  }

  /** Ends when each of these was looked at, so that a report of all shows all. */
  private void awaitReports(List<String> names, CompletableFuture<Boolean> read) {
    List<String> left =
        names.stream()
            .filter(name -> row(name).isEmpty() && nodes.latest(name).isPresent())
            .toList();
    if (left.isEmpty()) {
      read.complete(true);
    } else {
      scheduler.after(LOOK, () -> awaitReports(left, read));
    }
  }

  @Override
  public final boolean isSettled() {
    return begun && isDone();
  }

  @Override
  public List<String> unready() {
    List<String> reasons = new ArrayList<>();
    if (!begun) {
      reasons.add("the nodes were not read yet");
    }
    if (objects.backend().leading() == Backend.Leading.STANDBY) {
      reasons.add("the lease is not held any more");
    }
    return reasons;
  }

  @Override
  public final List<ResourceProblem> problemsOf(String name) {
    return nodes.problemsOf(name);
  }

  @Override
  public final StopReport drain(Countdown end, Duration bound) throws InterruptedException {
    CompletableFuture<List<String>> unknown = end().toCompletableFuture();
    boolean drained = end.await(unknown, bound.dividedBy(3));
    release();
    boolean written = end.await(objects.flush().get(), bound.dividedBy(10));
    return new StopReport(unknown.getNow(List.of()), drained && written);
  }

  @Override
  public final List<String> close() {
    end();
    release();
    return List.of();
  }
}
