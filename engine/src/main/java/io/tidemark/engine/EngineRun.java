package io.tidemark.engine;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.time.EffectSite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run from start to stop: threads and an open backend, which is read already while another
 * process leads, and the {@link Assembly} as soon as the turn is ours. Thread-safe; ended by one
 * thread.
 */
final class EngineRun {
  private static final Logger LOG = LoggerFactory.getLogger(EngineRun.class);

  /** Its requests have bounds of their own, at most 10 minutes each. */
  private static final Duration IDENTITY_MAX = Duration.ofHours(1);

  /** At the end, for giving up leadership. */
  private static final Duration RESIGN_MAX = Duration.ofSeconds(3);

  private final EngineSetup setup;
  private final Optional<OwnThreads> own;
  private final EngineThreads threads;
  private final NodeBackend backend;
  private final Heartbeat heartbeat;
  private final Consumer<String> listener;
  private final CompletableFuture<Boolean> started = new CompletableFuture<>();
  private final Object lock = new Object();
  private volatile Optional<Assembly> assembly = Optional.empty();
  private boolean ended;

  private EngineRun(EngineSetup setup, Optional<OwnThreads> own, Consumer<String> listener) {
    this.setup = setup;
    this.own = own;
    this.listener = listener;
    this.threads = own.map(OwnThreads::ports).or(setup::threads).orElseThrow();
    this.backend =
        setup
            .backend()
            .open(
                new NodeBackend.Environment(
                    setup.source(),
                    threads.timer(),
                    threads.store(),
                    setup.random(),
                    setup.readOnly()));
    this.heartbeat = Heartbeat.start(threads.timer(), threads.lanes());
  }

  /**
   * Opens the backend; everything else follows when its turn comes.
   *
   * @param listener as in {@link Tidemark#onChange}
   */
  static EngineRun start(EngineSetup setup, Consumer<String> listener) {
    Optional<OwnThreads> own =
        setup.threads().isPresent()
            ? Optional.empty()
            : Optional.of(OwnThreads.start(setup.config().maintenance().parallelCalls()));
    try {
      EngineRun run = new EngineRun(setup, own, listener);
      run.begin();
      return run;
    } catch (RuntimeException e) {
      own.ifPresent(OwnThreads::close);
      throw e;
    }
  }

  private void begin() {
    Object unused =
        backend
            .turn()
            .thenCompose(ours -> clusterUid())
            .thenCompose(this::assemble)
            .whenComplete(
                (worked, thrown) -> {
                  if (thrown == null) {
                    started.complete(worked);
                  } else {
                    started.completeExceptionally(thrown);
                  }
                });
  }

  private CompletionStage<Optional<String>> clusterUid() {
    return threads
        .store()
        .run(new EffectSite("clusterUid", ""), IDENTITY_MAX, backend::clusterUid)
        .stage();
  }

  private CompletionStage<Boolean> assemble(Optional<String> clusterUid) {
    synchronized (lock) {
      if (ended) {
        throw new CancellationException("the engine was stopped before its work began");
      }
      Assembly made = new Assembly(setup, threads, backend, clusterUid);
      made.manager().onChange(listener);
      assembly = Optional.of(made);
      return made.start();
    }
  }

  CompletionStage<Boolean> started() {
    return started.minimalCompletionStage();
  }

  Optional<Assembly> assembly() {
    return assembly;
  }

  EngineThreads threads() {
    return threads;
  }

  NodeBackend backend() {
    return backend;
  }

  List<String> unready() {
    List<String> reasons = new ArrayList<>(backend.trouble());
    assembly.ifPresent(it -> reasons.addAll(it.unready()));
    return reasons;
  }

  Optional<String> unhealthy() {
    return heartbeat.missing();
  }

  private Optional<Assembly> end() {
    synchronized (lock) {
      ended = true;
      return assembly;
    }
  }

  /** Ends in order: changes, writes, leadership, backend, threads. */
  StopReport stop(Duration bound) throws InterruptedException {
    Countdown end = new Countdown(threads.timer(), bound);
    Optional<Assembly> working = end();
    StopReport drained =
        working.isPresent() ? working.get().drain(end, bound) : new StopReport(List.of(), true);
    heartbeat.close();
    resign();
    List<String> unknown = new ArrayList<>(drained.unknown());
    unknown.addAll(backend.shutDown());
    own.ifPresent(OwnThreads::close);
    boolean timely = own.isEmpty() || own.get().awaitClosed(end.left());
    return new StopReport(unknown, timely && drained.timely());
  }

  /** Ends without waiting for what is under way. */
  StopReport close() {
    Optional<Assembly> working = end();
    List<String> unknown = working.map(Assembly::close).orElseGet(List::of);
    if (working.isEmpty()) {
      try {
        resign();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    heartbeat.close();
    backend.close();
    own.ifPresent(OwnThreads::close);
    return new StopReport(unknown, true);
  }

  private void resign() throws InterruptedException {
    if (!new Countdown(threads.timer(), RESIGN_MAX).await(backend.resign(), Duration.ZERO)) {
      LOG.warn("The lease was not released in time; it will expire");
    }
  }
}
