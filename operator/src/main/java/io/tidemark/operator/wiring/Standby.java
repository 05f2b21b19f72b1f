package io.tidemark.operator.wiring;

import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.StopSignal;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * What runs before the engine does: threads, and the home of the nodes, which is read already while
 * another operator works, so that this one takes over warm. Made and ended on the program's main
 * thread; what it tells may be asked from any thread.
 */
public final class Standby implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(20);

  private final EngineSetup setup;
  private final EngineThreads threads;
  private final NodeHome home;
  private final Heartbeat heartbeat;
  private volatile Optional<Engine> engine = Optional.empty();
  private boolean closed;

  /** How the waiting ended. */
  public enum Turn {
    /** This program may work. */
    OURS,
    /** It was told to end. */
    STOPPED,
    /** Another one works, for longer than was waited. */
    TIMEOUT,
    /** It was this program's, and was lost before the work began. */
    LOST
  }

  private Standby(EngineSetup setup, EngineThreads threads) {
    this.setup = setup;
    this.threads = threads;
    this.home = setup.home().open(threads.timer(), threads.store(), setup.readOnly());
    this.heartbeat = Heartbeat.start(threads.timer(), threads.lanes());
  }

  /**
   * Opens the home; it is read from now on.
   *
   * @throws io.tidemark.error.IpamException when it cannot be opened
   */
  public static Standby open(EngineSetup setup) {
    EngineThreads threads = EngineThreads.start(setup.config().engine().parallelCalls());
    try {
      return new Standby(setup, threads);
    } catch (RuntimeException e) {
      threads.close();
      throw e;
    }
  }

  /** Blocks the main thread until this program may work, or need not wait any longer. */
  public Turn await(StopSignal stop, Optional<Duration> limit)
      throws InterruptedException, ExecutionException {
    CompletableFuture<Turn> end = new CompletableFuture<>();
    Object unusedTurn = home.turn().thenRun(() -> end.complete(Turn.OURS));
    Object unusedStop = stop.requested().thenRun(() -> end.complete(Turn.STOPPED));
    Object unusedLost = home.lost().thenRun(() -> end.complete(Turn.LOST));
    limit.ifPresent(bound -> threads.timer().after(bound, () -> end.complete(Turn.TIMEOUT)));
    return end.get();
  }

  /**
   * Blocks the main thread until the nodes were named, which what asks the cluster more waits for.
   *
   * @return {@code OURS} when they were
   */
  public Turn awaitRead(StopSignal stop, Duration limit)
      throws InterruptedException, ExecutionException {
    CompletableFuture<Turn> end = new CompletableFuture<>();
    Object unusedStop = stop.requested().thenRun(() -> end.complete(Turn.STOPPED));
    threads.timer().after(limit, () -> end.complete(Turn.TIMEOUT));
    look(end);
    return end.get();
  }

  private void look(CompletableFuture<Turn> end) {
    if (home.isRead()) {
      end.complete(Turn.OURS);
    } else if (!end.isDone()) {
      threads.timer().after(LOOK, () -> look(end));
    }
  }

  /** The one timer. */
  public TaskScheduler timer() {
    return threads.timer();
  }

  /** What stands in the way of reading the nodes, a sentence each; never blocks. */
  public List<String> trouble() {
    return home.trouble();
  }

  /**
   * Puts the engine together; nothing moves yet. To be called once, when the turn is ours; from now
   * on the engine ends what was opened here.
   *
   * @throws io.tidemark.error.IpamException when settings are refused
   */
  public Engine engine() {
    Engine assembled = new Engine(setup, threads, home, heartbeat);
    engine = Optional.of(assembled);
    return assembled;
  }

  /** The engine, as soon as the turn was ours. */
  public Optional<Engine> working() {
    return engine;
  }

  /** Whether this program may change the cloud, where several may want to. */
  public NodeHome.Leading leading() {
    return home.leading();
  }

  /** What of the nodes' objects cannot be read now, also while another operator works. */
  public List<ResourceProblem> problems() {
    return home.refused();
  }

  /** Why timer and lanes take no turns any more, a sentence each; empty while they do. */
  public List<String> unhealthy() {
    return heartbeat.missing().stream().toList();
  }

  /**
   * Why nodes are not kept supplied now or could not be after a take-over, a sentence each. Waiting
   * for another operator is no reason.
   */
  public List<String> unready() {
    List<String> reasons = new ArrayList<>(home.trouble());
    engine.ifPresent(it -> reasons.addAll(it.unready()));
    return reasons;
  }

  /** Ends all without waiting for anything, but for giving back what others wait for. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (engine.isPresent()) {
      engine.get().close();
    } else {
      home.shutDown();
      threads.close();
    }
  }
}
