package io.tidemark.time;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A world without threads in which time passes only by running events. One thread owns it and is
 * the only one that may touch it; equal inputs give equal runs, event by event.
 *
 * <p>Monotonic time starts at 0. Events of the same instant run in the order in which they were
 * given. An event that throws ends the run with its exception; the other events stay queued.
 *
 * <p>{@link #process} gives programs their own scheduler, executor and clock, so that one of them
 * can crash.
 */
public final class VirtualTime implements TimeSource, TaskScheduler, Executor {
  /** Steps at one instant that no sane world needs. */
  public static final long DEFAULT_STEPS_PER_INSTANT = 20_000_000;

  private final EntryHeap later = new EntryHeap();
  private final ArrayDeque<Runnable> now = new ArrayDeque<>();

  /** Whose each task of {@link #now} is. */
  private final ArrayDeque<VirtualProcess> nowOf = new ArrayDeque<>();

  private final VirtualProcess world = new VirtualProcess(this, "world");
  private final Thread owner = Thread.currentThread();
  private final StepBudget budget;
  private final long startMillis;
  private final VirtualClock wall;
  private @Nullable Runnable afterStep;
  private long nanos;
  private int withdrawn;
  private boolean running;

  /** A world that begins at wall time {@code epochMillis} and may take any number of steps. */
  public VirtualTime(long epochMillis) {
    this(epochMillis, Long.MAX_VALUE, DEFAULT_STEPS_PER_INSTANT);
  }

  /**
   * A world that ends with a {@link Livelock} after too many steps.
   *
   * @param steps in all, and {@code stepsPerInstant} without time passing; both 1 or more
   */
  public VirtualTime(long epochMillis, long steps, long stepsPerInstant) {
    this.startMillis = epochMillis;
    this.budget = new StepBudget(steps, stepsPerInstant);
    this.wall = new VirtualClock(new TrueClock());
  }

  /** The world does not come to rest; the message holds its last steps. */
  public static final class Livelock extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    Livelock(String message) {
      super(message);
    }
  }

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public long epochMillis() {
    return wall.epochMillis();
  }

  @Override
  public TimeSource time() {
    return this;
  }

  /** The world's wall clock, to be set wrong; processes see it through their own. */
  public VirtualClock clock() {
    return wall;
  }

  /** Runs {@code task} at the present instant, after everything that is already due. */
  @Override
  public void execute(Runnable task) {
    executeFor(world, task);
  }

  @Override
  public Cancellable at(long dueNanos, Runnable task) {
    return schedule(dueNanos, task, world);
  }

  /** Requests that belong to no process; {@code model} decides what happens to them. */
  public EffectRunner effects(EffectModel model) {
    return new VirtualEffects(this, world, model);
  }

  /** A new program; several may bear the same name, one after the other or at once. */
  public VirtualProcess process(String name) {
    return new VirtualProcess(this, name);
  }

  /** Calls {@code hook} after every step, for checking what must always hold. */
  public void afterEachStep(Runnable hook) {
    afterStep = hook;
  }

  /** Events that wait. */
  public int pending() {
    return later.size() + now.size() - withdrawn;
  }

  /** Steps taken so far. */
  public long steps() {
    return budget.steps();
  }

  /** Runs the next event, moving the clock to it; false when there is none. */
  public boolean step() {
    enter();
    try {
      return runNext(Long.MAX_VALUE);
    } finally {
      running = false;
    }
  }

  /** Runs everything due until {@code untilNanos} inclusive, and sets the clock there. */
  public void runUntil(long untilNanos) {
    drain(untilNanos);
    if (untilNanos > nanos) {
      advance(untilNanos);
    }
  }

  /**
   * Runs all events up to {@code limitNanos}; the clock stays at the last one.
   *
   * @return whether no event is left
   */
  public boolean runUntilIdle(long limitNanos) {
    drain(limitNanos);
    return pending() == 0;
  }

  private void drain(long limitNanos) {
    enter();
    try {
      boolean more = true;
      while (more) {
        more = runNext(limitNanos);
      }
    } finally {
      running = false;
    }
  }

  private boolean runNext(long limitNanos) {
    while (true) {
      Runnable task;
      VirtualProcess process;
      if (later.isDue(nanos)) {
        Event event = (Event) later.poll();
        task = event;
        process = event.process;
      } else if (now.size() > 0 && nanos <= limitNanos) {
        task = now.removeFirst();
        process = nowOf.removeFirst();
        if (task instanceof Event event && event.task == null) {
          withdrawn--;
          continue;
        }
      } else if (later.isDue(limitNanos)) {
        advance(later.firstDue());
        continue;
      } else {
        return false;
      }
      if (process.isFrozen()) {
        process.thaw(task);
        continue;
      }
      if (!budget.step(nanos, process.name(), task)) {
        throw new Livelock(budget.report());
      }
      task.run();
      if (afterStep != null) {
        afterStep.run();
      }
      return true;
    }
  }

  Cancellable schedule(long dueNanos, Runnable task, VirtualProcess process) {
    checkThread();
    Event event = new Event(task, process);
    enqueue(dueNanos, event);
    return event;
  }

  void executeFor(VirtualProcess process, Runnable task) {
    checkThread();
    addNow(task, process);
  }

  /** Puts a task of a frozen process off; a withdrawal of the original still works. */
  void postpone(long dueNanos, Runnable task, VirtualProcess process) {
    enqueue(dueNanos, task instanceof Event event ? event : new Event(task, process));
  }

  /** Discards all events of {@code process}. */
  void discard(VirtualProcess process) {
    checkThread();
    later.removeIf(entry -> ((Event) entry).process == process && ((Event) entry).discard());
    for (int left = now.size(); left > 0; left--) {
      Runnable task = now.removeFirst();
      VirtualProcess of = nowOf.removeFirst();
      if (of != process) {
        addNow(task, of);
      } else if (task instanceof Event event && !event.discard()) {
        withdrawn--;
      }
    }
  }

  private void addNow(Runnable task, VirtualProcess process) {
    now.add(task);
    nowOf.add(process);
  }

  /** The process of what belongs to none: it neither crashes nor freezes. */
  VirtualProcess world() {
    return world;
  }

  private void enqueue(long dueNanos, Event event) {
    if (dueNanos > nanos) {
      later.add(dueNanos, event);
    } else {
      addNow(event, event.process);
    }
  }

  private void advance(long toNanos) {
    nanos = toNanos;
    budget.timePassed();
  }

  private void enter() {
    checkThread();
    if (running) {
      throw new IllegalStateException("an event may not run further events");
    }
    running = true;
  }

  private void checkThread() {
    if (Thread.currentThread() != owner) {
      throw new IllegalStateException(
          "virtual time belongs to " + owner + "; touched by " + Thread.currentThread());
    }
  }

  private final class Event extends EntryHeap.Entry implements Cancellable, Runnable {
    private final VirtualProcess process;
    private @Nullable Runnable task;

    Event(Runnable task, VirtualProcess process) {
      this.task = task;
      this.process = process;
    }

    @Override
    public void run() {
      Runnable body = Objects.requireNonNull(task, "a withdrawn event was run");
      task = null;
      body.run();
    }

    /** Empties it where it lies; false when it was withdrawn before. */
    boolean discard() {
      boolean live = task != null;
      task = null;
      return live;
    }

    @Override
    public boolean cancel() {
      if (!discard()) {
        return false;
      }
      if (isQueued()) {
        later.remove(this);
      } else {
        withdrawn++;
      }
      return true;
    }

    @Override
    public String toString() {
      return String.valueOf(task);
    }
  }

  private final class TrueClock implements TimeSource {
    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public long epochMillis() {
      return startMillis + nanos / 1_000_000;
    }
  }
}
