package io.tidemark.cluster.run;

import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.time.BackoffPolicy;
import io.tidemark.time.BackoffState;
import io.tidemark.time.Cancellable;
import io.tidemark.time.Lane;
import io.tidemark.time.Lanes;
import io.tidemark.time.RequestSlots;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the steps that are decided about objects, by name. All tasks of one name run on one
 * queue, in order; after each of them the steps of the name are decided anew. An id of the name,
 * such as the uid of an incarnation, has one request at a time; one that fails is followed by a
 * pause that grows. Owns no thread; any thread may call, and nothing blocks.
 *
 * @param <I> the knowledge of one name
 */
public final class KeyedReconciler<I extends KeyedReconciler.Item> {
  private static final Duration LIST_RETRY = Duration.ofSeconds(1);

  /** The knowledge of one name; used on its queue alone. */
  public interface Item {
    /** Decides what to do now, by id; an id without a step rests. */
    Map<String, Step> steps();

    /** Whether nothing is left to remember. */
    boolean isEmpty();

    /** Whether a request may have an effect that is not known; once none is in flight. */
    boolean hasUnknown();
  }

  /** The next thing to do for an id. */
  public sealed interface Step {}

  /**
   * Nothing before something changes; this ends a pause.
   *
   * @param untilNanos when to decide again even if nothing changes; in the future
   */
  public record Rest(OptionalLong untilNanos) implements Step {
    /** Nothing before something changes. */
    public static final Rest QUIET = new Rest(OptionalLong.empty());
  }

  /**
   * One request.
   *
   * @param slots room for requests of its kind
   * @param send sends it, on the queue; the stage never ends exceptionally, and its result is
   *     evaluated on the queue
   */
  public record Request(RequestSlots slots, Supplier<CompletionStage<Supplier<End>>> send)
      implements Step {}

  /** How a request ended. */
  public enum End {
    /** More is known than before: the next step. */
    DONE,
    /** The next step after a pause; meanwhile the work is not settled. */
    AGAIN,
    /** The next step after a pause; people have to act, so that the work counts as settled. */
    PARKED
  }

  private enum Phase {
    /** Objects are read; nothing is decided. */
    STANDBY,
    ACTIVE,
    STOPPED
  }

  private final Lanes lanes;
  private final Executor executor;
  private final TaskScheduler scheduler;
  private final RandomGenerator random;
  private final List<RequestSlots> slots;
  private final Function<String, I> maker;
  private final Map<String, Queue> queues = new ConcurrentHashMap<>();

  /** Tasks, requests and pauses that are queued or in flight. */
  private final AtomicInteger underWay = new AtomicInteger();

  private final Object lock = new Object();
  private List<Watch> watches = List.of();
  private boolean started;
  private volatile Phase phase = Phase.STANDBY;
  private @Nullable CompletionStage<List<String>> stopped;

  /**
   * Does nothing yet.
   *
   * @param executor runs the queues, {@code parallel} at once
   * @param random spreads the pauses; thread-safe
   * @param slots all that requests name
   * @param maker of the knowledge of a name
   */
  public KeyedReconciler(
      Executor executor,
      int parallel,
      TaskScheduler scheduler,
      RandomGenerator random,
      List<RequestSlots> slots,
      Function<String, I> maker) {
    this.lanes = new Lanes(executor, parallel);
    this.executor = executor;
    this.scheduler = scheduler;
    this.random = random;
    this.slots = List.copyOf(slots);
    this.maker = maker;
  }

  /** Opens the watches of the objects, once; not after the end. */
  public void watch(Supplier<List<Watch>> opened) {
    synchronized (lock) {
      if (watches.isEmpty() && phase != Phase.STOPPED) {
        watches = opened.get();
      }
    }
  }

  /**
   * Reads all objects as they are from now on, again until that works, and has {@code listed} run
   * on the executor; once, and not after the end.
   *
   * @param list never ends exceptionally
   * @return whether this was the first call, before the end
   */
  public boolean start(Supplier<CompletionStage<CatchUp>> list, Runnable listed) {
    synchronized (lock) {
      if (started || phase == Phase.STOPPED) {
        return false;
      }
      started = true;
    }
    list(list, listed);
    return true;
  }

  private void list(Supplier<CompletionStage<CatchUp>> list, Runnable listed) {
    list.get()
        .thenAcceptAsync(
            end -> {
              if (end instanceof CatchUp.Failed) {
                scheduler.after(LIST_RETRY, () -> list(list, listed));
              } else if (phase == Phase.STANDBY) {
                listed.run();
              }
            },
            executor);
  }

  /** Steps are decided from now on; false after the end. */
  public boolean activate() {
    synchronized (lock) {
      phase = phase == Phase.STANDBY ? Phase.ACTIVE : phase;
      return isActive();
    }
  }

  /** Whether steps are decided. */
  public boolean isActive() {
    return phase == Phase.ACTIVE;
  }

  /** Whether {@link #stop} was called. */
  public boolean isStopped() {
    return phase == Phase.STOPPED;
  }

  /** Whether nothing is queued or in flight: the next step is somebody else's. */
  public boolean isSettled() {
    return isActive() && underWay.get() == 0;
  }

  /** Something outside of the queues is under way that {@link #ended} will follow. */
  public void begun() {
    underWay.incrementAndGet();
  }

  /** The end of the work that {@link #begun} announced. */
  public void ended() {
    underWay.decrementAndGet();
  }

  /**
   * Ends it: no request begins any more.
   *
   * @return ends when those in flight have ended and were told: the names of which a request may
   *     have, or get, an effect that is not known; never exceptionally. A second call returns the
   *     same
   */
  public CompletionStage<List<String>> stop() {
    List<Watch> open;
    synchronized (lock) {
      if (stopped != null) {
        return stopped;
      }
      phase = Phase.STOPPED;
      open = watches;
      stopped =
          CompletableFuture.allOf(
                  slots.stream()
                      .map(each -> each.close().toCompletableFuture())
                      .toArray(CompletableFuture<?>[]::new))
              .thenApply(closed -> unknown());
    }
    open.forEach(Watch::close);
    return stopped;
  }

  private List<String> unknown() {
    return queues.values().stream()
        .filter(queue -> queue.item.hasUnknown())
        .map(queue -> queue.name)
        .sorted()
        .toList();
  }

  /** Decides the steps of a name. */
  public void step(String name) {
    post(name, item -> {});
  }

  /** Runs a task on the queue of a name, then decides its steps. */
  public void post(String name, Consumer<I> task) {
    begun();
    Queue queue =
        queues.compute(
            name,
            (key, known) -> {
              Queue it = known == null ? new Queue(name) : known;
              it.queued++;
              return it;
            });
    queue.lane.execute(() -> queue.run(task));
  }

  /** The knowledge of a name; its thread-safe parts may be asked. */
  public Optional<I> find(String name) {
    return Optional.ofNullable(queues.get(name)).map(queue -> queue.item);
  }

  /** The knowledge of all names; its thread-safe parts may be asked. */
  public Stream<I> items() {
    return queues.values().stream().map(queue -> queue.item);
  }

  /** All names that are known here; a copy. */
  public Set<String> names() {
    return new HashSet<>(queues.keySet());
  }

  /** The tasks and requests of one name. */
  private final class Queue {
    final String name;
    final I item;
    final Lane lane = lanes.lane();

    /** Requests, pauses and timers by id; on the queue. */
    final Map<String, Track> tracks = new HashMap<>();

    /** Guarded by the map of all queues. */
    int queued;

    Queue(String name) {
      this.name = name;
      this.item = maker.apply(name);
    }

    void run(Consumer<I> task) {
      try {
        task.accept(item);
        if (isActive()) {
          decide();
        }
      } finally {
        queues.computeIfPresent(
            name,
            (key, known) ->
                --known.queued == 0 && tracks.isEmpty() && item.isEmpty() ? null : known);
        ended();
      }
    }

    private void decide() {
      Map<String, Step> steps = item.steps();
      steps.keySet().forEach(id -> tracks.computeIfAbsent(id, key -> new Track(this)));
      for (String id : new ArrayList<>(tracks.keySet())) {
        Track track = tracks.get(id);
        if (track != null) {
          track.act(steps.getOrDefault(id, Rest.QUIET));
        }
      }
      tracks.values().removeIf(Track::isIdle);
    }
  }

  /** The one request of an id, or its pause; on the queue. */
  private final class Track {
    private final Queue queue;
    private BackoffState backoff = BackoffState.NONE;

    /** Whether it waits for room. */
    private boolean asked;

    /** The room that it has. */
    private @Nullable RequestSlots room;

    private boolean inFlight;
    private boolean pausing;

    /** Whether the pause counts as under way. */
    private boolean counted;

    private @Nullable Cancellable timer;
    private long timerNanos;

    Track(Queue queue) {
      this.queue = queue;
    }

    boolean isIdle() {
      return !asked && room == null && timer == null;
    }

    void act(Step step) {
      if (inFlight) {
        return;
      }
      RequestSlots has = room;
      if (has != null && step instanceof Request request && request.slots() == has) {
        send(request);
        return;
      }
      leave();
      if (asked) {
        return;
      }
      if (step instanceof Rest rest) {
        rest(rest);
      } else if (step instanceof Request request && !pausing) {
        cancelTimer();
        asked = true;
        begun();
        request.slots().request(() -> post(queue.name, item -> enter(request.slots())));
      }
    }

    /** There is room; what is to be done may be another thing by now. */
    private void enter(RequestSlots slots) {
      asked = false;
      room = slots;
      if (!isActive()) {
        leave();
      }
    }

    private void send(Request request) {
      inFlight = true;
      request.send().get().thenAccept(end -> post(queue.name, item -> ended(end.get())));
    }

    /** The next request keeps the room: the first name is done before the last has begun. */
    private void ended(End end) {
      inFlight = false;
      if (end != End.DONE || !isActive()) {
        leave();
      }
      if (end != End.DONE && isActive()) {
        backoff = backoff.failed(BackoffPolicy.REQUEST, scheduler.time().nanos());
        Duration pause = BackoffPolicy.REQUEST.pause(backoff.failures(), random);
        pausing = true;
        counted = end == End.AGAIN;
        underWay.addAndGet(counted ? 1 : 0);
        awaitUntil(scheduler.time().nanos() + pause.toNanos());
      }
    }

    private void leave() {
      RequestSlots left = room;
      if (left != null) {
        room = null;
        KeyedReconciler.this.ended();
        left.release();
      }
    }

    private void rest(Rest rest) {
      endPause();
      backoff = BackoffState.NONE;
      if (rest.untilNanos().isEmpty()) {
        cancelTimer();
      } else {
        awaitUntil(rest.untilNanos().getAsLong());
      }
    }

    private void endPause() {
      if (pausing) {
        pausing = false;
        underWay.addAndGet(counted ? -1 : 0);
        cancelTimer();
      }
    }

    private void awaitUntil(long nanos) {
      if (timer == null || timerNanos != nanos) {
        cancelTimer();
        timerNanos = nanos;
        timer = scheduler.at(nanos, () -> post(queue.name, item -> woken(nanos)));
      }
    }

    private void woken(long nanos) {
      if (timer != null && timerNanos == nanos) {
        timer = null;
        endPause();
      }
    }

    private void cancelTimer() {
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
    }
  }
}
