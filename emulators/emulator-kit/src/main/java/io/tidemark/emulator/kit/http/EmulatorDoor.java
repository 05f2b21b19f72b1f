package io.tidemark.emulator.kit.http;

import io.tidemark.time.TimeSource;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Lets requests and everybody else have an emulator's model one after the other, at the current
 * time of its clock. Thread-safe; waits only for its turn.
 *
 * @param <M> the model
 */
public abstract class EmulatorDoor<M> {
  private final ReentrantLock turn = new ReentrantLock();
  private final TimeSource time;
  private final Instant origin;
  private M model;

  protected EmulatorDoor(M model, TimeSource time) {
    this.model = model;
    this.time = time;
    this.origin = Instant.ofEpochMilli(time.epochMillis()).minusNanos(time.nanos());
  }

  /** Lets {@code use} have the model while no request is in it; it must not keep it. */
  public <R> R use(Function<M, R> use) {
    turn.lock();
    try {
      return use.apply(model);
    } finally {
      turn.unlock();
    }
  }

  /** The same without a result. */
  public void change(Consumer<M> change) {
    use(
        world -> {
          change.accept(world);
          return world;
        });
  }

  /** Replaces the model; the previous state is lost. */
  public void reset(M fresh) {
    change(previous -> model = fresh);
  }

  /** The current time of the model. */
  public Instant now() {
    return origin.plusNanos(time.nanos());
  }
}
