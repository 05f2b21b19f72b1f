package io.tidemark.cluster.run;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.Backend.Leading;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A system that works on the objects of one backend, from {@link #start} to {@link #stop}: what a
 * program needs in order to run it, whatever it does. A subclass adds what can be asked of it.
 *
 * <p>Queries can be called from any thread at any time and never block. {@code start}, {@code stop}
 * and {@code close} can block; call them from one thread.
 */
public abstract class SystemRun<B extends Backend, W extends SystemWork> implements AutoCloseable {
  private final SystemSetup<B, W> setup;
  private volatile Optional<Session<B, W>> session = Optional.empty();
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private @Nullable StopReport stopped;

  /** Opens and starts nothing yet. */
  protected SystemRun(SystemSetup<B, W> setup) {
    this.setup = setup;
  }

  /**
   * Opens the backend and begins to work when this process may act: at once, or with a lease when
   * it holds the lease. Does not wait for that. A second call returns the same stage.
   *
   * @return completes with true when all objects and the cloud were read, with false when the first
   *     read of the cloud failed; it is then retried. Not before this process may act. Completes
   *     exceptionally with an {@link IpamException} when the work cannot begin with these settings
   *     or objects; then nothing is done until the close
   * @throws IpamException when the backend cannot be opened; {@code STOPPED} after {@link #stop}
   */
  public final synchronized CompletionStage<Boolean> start() {
    if (stopped != null) {
      throw new IpamException(
          CoreError.STOPPED, "the " + setup.name() + " was stopped; build a new one");
    }
    if (session.isEmpty()) {
      session = Optional.of(Session.start(setup, this::changed));
    }
    return session.get().started();
  }

  private void changed(String name) {
    listeners.forEach(each -> each.accept(name));
  }

  /** The work, as soon as the turn has come. */
  protected final Optional<W> work() {
    return session.flatMap(Session::work);
  }

  /** {@code answer}, or empty after the stop, which drops the questions that still wait. */
  protected final <T> CompletionStage<Optional<T>> untilStopped(
      CompletionStage<Optional<T>> answer) {
    CompletableFuture<Optional<T>> waiting = answer.toCompletableFuture();
    return CompletableFuture.anyOf(waiting, ended)
        .thenApply(first -> waiting.getNow(Optional.empty()));
  }

  /**
   * Completes when this process may act, which another leader can delay; not before the start and
   * not while another process leads.
   */
  public final CompletionStage<?> turn() {
    return session
        .<CompletionStage<?>>map(it -> it.backend().turn())
        .orElseGet(CompletableFuture::new);
  }

  /**
   * Completes, with the reason, when this process lost its lease and must not change anything any
   * more. Then stop the system; a new one can wait for the lease again.
   */
  public final CompletionStage<String> lost() {
    return session.map(it -> it.backend().lost()).orElseGet(CompletableFuture::new);
  }

  /**
   * Why it does not do its work now, or could not after a takeover, one sentence each; empty when
   * it is ready. Being on standby is not a reason.
   */
  public final List<String> unready() {
    return session
        .map(Session::unready)
        .orElseGet(() -> List.of("the " + setup.name() + " was not started"));
  }

  /** As {@link Backend#watchAges}. */
  public final Map<String, Duration> watchAges() {
    return session.map(it -> it.backend().watchAges()).orElse(Map.of());
  }

  /** Why timer and lanes have stopped, as a sentence; empty while they run. */
  public final Optional<String> unhealthy() {
    return session.flatMap(Session::unhealthy);
  }

  /** Whether this process may act, if several processes could. */
  public final Leading leading() {
    return session.map(it -> it.backend().leading()).orElse(Leading.STANDBY);
  }

  /** Who holds the lease, as {@link Backend#holder} says. */
  public final Optional<String> holder() {
    return session.flatMap(it -> it.backend().holder());
  }

  /** Name of the lease that decides who may act; empty as {@link Backend#lease} says. */
  public final Optional<String> lease() {
    return session.flatMap(it -> it.backend().lease());
  }

  /** Whether all possible work is done; the next step is somebody else's. */
  public final boolean isSettled() {
    return work().map(SystemWork::isSettled).orElse(false);
  }

  /** Objects that cannot be read now, or need human action. */
  public final List<ResourceProblem> problems() {
    List<ResourceProblem> all = new ArrayList<>();
    session.ifPresent(it -> all.addAll(it.backend().refused()));
    work().ifPresent(it -> all.addAll(it.problems()));
    return List.copyOf(all);
  }

  /** The parts of one object that cannot be read. */
  public final List<ResourceProblem> problemsOf(String name) {
    return work().map(it -> it.problemsOf(name)).orElseGet(List::of);
  }

  /**
   * Calls {@code changed} with the name of each node that is new and read, gone, or changed its
   * state, from now on and beside earlier listeners; on the lanes, which it must not block.
   */
  public final void onChange(Consumer<String> changed) {
    listeners.add(changed);
  }

  /**
   * The timer of the system.
   *
   * @throws IllegalStateException before the start
   */
  public final TaskScheduler timer() {
    return session
        .map(it -> it.threads().timer())
        .orElseThrow(() -> new IllegalStateException("start the " + setup.name() + " first"));
  }

  /**
   * Stops in order, at most about {@code bound} later: no new change begins, changes in flight end
   * and are written, the lease is released, the backend is closed, the threads end. Blocks.
   *
   * @return changes with unknown results; a second call returns the same
   */
  public final synchronized StopReport stop(Duration bound) throws InterruptedException {
    if (stopped == null) {
      stopped = session.isPresent() ? session.get().stop(bound) : new StopReport(List.of(), true);
      ended.complete(null);
    }
    return stopped;
  }

  /** Stops without waiting for requests in flight; does nothing after {@link #stop}. Idempotent. */
  @Override
  public final synchronized void close() {
    if (stopped == null) {
      stopped = session.map(Session::close).orElseGet(() -> new StopReport(List.of(), true));
      ended.complete(null);
    }
  }
}
