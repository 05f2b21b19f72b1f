package io.tidemark.cluster.run;

import io.tidemark.cluster.Backend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run from start to stop: threads and an open backend, which is read already while another
 * process leads, and the work as soon as the turn is ours. Thread-safe; ended by one thread.
 */
final class Session<B extends Backend, W extends SystemWork> {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  /** At the end, for giving up leadership. */
  private static final Duration RESIGN_MAX = Duration.ofSeconds(3);

  private final SystemSetup<B, W> setup;
  private final Optional<OwnThreads> own;
  private final RunThreads threads;
  private final B backend;
  private final Heartbeat heartbeat;
  private final CompletableFuture<Boolean> started = new CompletableFuture<>();
  private final Object lock = new Object();
  private volatile Optional<W> work = Optional.empty();
  private boolean ended;

  private Session(SystemSetup<B, W> setup, Optional<OwnThreads> own) {
    this.setup = setup;
    this.own = own;
    this.threads = own.map(OwnThreads::ports).or(setup::threads).orElseThrow();
    this.backend =
        setup
            .backend()
            .open(
                new Backend.Environment(
                    setup.settings(),
                    threads.timer(),
                    threads.store(),
                    setup.random(),
                    setup.readOnly()));
    this.heartbeat = Heartbeat.start(threads.timer(), threads.lanes());
  }

  /**
   * Opens the backend; everything else follows when its turn comes.
   *
   * @param changed as in {@link SystemRun#onChange}
   */
  static <B extends Backend, W extends SystemWork> Session<B, W> start(
      SystemSetup<B, W> setup, Consumer<String> changed) {
    Optional<OwnThreads> own =
        setup.threads().isPresent()
            ? Optional.empty()
            : Optional.of(OwnThreads.start(setup.cloudRequests()));
    try {
      Session<B, W> session = new Session<>(setup, own);
      session.begin(changed);
      return session;
    } catch (RuntimeException e) {
      own.ifPresent(OwnThreads::close);
      throw e;
    }
  }

  private void begin(Consumer<String> changed) {
    backend
        .turn()
        .thenCompose(ours -> setup.maker().prepare(backend, threads, changed))
        .thenCompose(this::work)
        .whenComplete(
            (worked, thrown) -> {
              if (thrown == null) {
                started.complete(worked);
              } else {
                started.completeExceptionally(thrown);
              }
            });
  }

  private CompletionStage<Boolean> work(Supplier<W> prepared) {
    synchronized (lock) {
      if (ended) {
        throw new CancellationException(
            "the " + setup.name() + " was stopped before its work began");
      }
      W made = prepared.get();
      work = Optional.of(made);
      return made.start();
    }
  }

  CompletionStage<Boolean> started() {
    return started.minimalCompletionStage();
  }

  Optional<W> work() {
    return work;
  }

  RunThreads threads() {
    return threads;
  }

  B backend() {
    return backend;
  }

  List<String> unready() {
    List<String> reasons = new ArrayList<>(backend.trouble());
    work.ifPresent(it -> reasons.addAll(it.unready()));
    return reasons;
  }

  Optional<String> unhealthy() {
    return heartbeat.missing();
  }

  private Optional<W> end() {
    synchronized (lock) {
      ended = true;
      return work;
    }
  }

  /** Ends in order: changes, writes, leadership, backend, threads. */
  StopReport stop(Duration bound) throws InterruptedException {
    Countdown end = new Countdown(threads.timer(), bound);
    Optional<W> working = end();
    StopReport drained =
        working.isPresent() ? working.get().drain(end, bound) : new StopReport(List.of(), true);
    heartbeat.close();
    if (working.isEmpty() || working.get().mayResign(drained)) {
      resign();
    }
    List<String> unknown = new ArrayList<>(drained.unknown());
    unknown.addAll(backend.shutDown());
    own.ifPresent(OwnThreads::close);
    boolean timely = own.isEmpty() || own.get().awaitClosed(end.left());
    return new StopReport(unknown, timely && drained.timely());
  }

  /** Ends without waiting for what is under way. */
  StopReport close() {
    Optional<W> working = end();
    List<String> unknown = working.map(SystemWork::close).orElseGet(List::of);
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
