package io.tidemark.time;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * One program in a {@link VirtualTime}; its pending events end with it. Used by the simulation's
 * thread alone.
 *
 * <p>After a crash its further requests are dropped silently; the event that is running during the
 * crash runs to its end.
 */
public final class VirtualProcess implements TaskScheduler, Executor {
  private static final Cancellable NOTHING = () -> false;

  private final VirtualTime world;
  private final String name;
  private final VirtualClock clock;
  private OnTheWire onTheWire = OnTheWire.ARRIVES;
  private boolean alive = true;
  private long frozenUntil;

  /** The fate of requests that have left a crashing process and not arrived yet. */
  public enum OnTheWire {
    /** Their leaves run at their time; the answers are dropped. */
    ARRIVES,
    /** Their leaves never run. */
    IS_LOST
  }

  VirtualProcess(VirtualTime world, String name) {
    this.world = world;
    this.name = name;
    this.clock = new VirtualClock(world);
  }

  /** Its name, for people. */
  public String name() {
    return name;
  }

  /** Its own view of the clocks; setting it wrong affects no other process. */
  public VirtualClock clock() {
    return clock;
  }

  @Override
  public TimeSource time() {
    return clock;
  }

  @Override
  public Cancellable at(long dueNanos, Runnable task) {
    return alive ? world.schedule(dueNanos, task, this) : NOTHING;
  }

  /** Runs {@code task} at the present instant, after everything that is already due. */
  @Override
  public void execute(Runnable task) {
    if (alive) {
      world.executeFor(this, task);
    }
  }

  /** Its requests, with fates by {@code model}. */
  public EffectRunner effects(EffectModel model) {
    return new VirtualEffects(world, this, model);
  }

  /** Whether it has not crashed. */
  public boolean isAlive() {
    return alive;
  }

  /**
   * Crashes the program: its pending events are discarded and its stages never end. Effects of its
   * requests remain. Idempotent.
   */
  public void crash(OnTheWire requests) {
    if (alive) {
      alive = false;
      onTheWire = requests;
      world.discard(this);
    }
  }

  /**
   * Pauses it, as a garbage collection or a busy machine does: events that become due in the pause,
   * responses included, run afterwards in order.
   */
  public void freeze(Duration pause) {
    frozenUntil = Math.max(frozenUntil, world.nanos() + pause.toNanos());
  }

  boolean isFrozen() {
    return frozenUntil > world.nanos();
  }

  void thaw(Runnable task) {
    world.postpone(frozenUntil, task, this);
  }

  /** Whether a request that left from here still arrives. */
  boolean requestArrives() {
    return alive || onTheWire == OnTheWire.ARRIVES;
  }
}
