package io.tidemark.emulator.arm.http;

import io.tidemark.emulator.arm.model.ArmModel;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.time.TimeSource;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Answers requests one after the other, at the current time of its clock. Thread-safe; waits only
 * for its turn.
 */
public final class ArmHandler {
  private static final System.Logger LOG = System.getLogger(ArmHandler.class.getName());

  private final ReentrantLock turn = new ReentrantLock();
  private final TimeSource time;
  private final Instant origin;
  private ArmModel model;

  public ArmHandler(ArmModel model, TimeSource time) {
    this.model = model;
    this.time = time;
    this.origin = Instant.ofEpochMilli(time.epochMillis()).minusNanos(time.nanos());
  }

  /** The response to this request now, also to an invalid one. */
  public ArmReply handle(ArmRequest request) {
    try {
      return use(
          world -> {
            ArmReply reply = world.apply(request, now());
            reply.body(); // made of what the model holds now
            return reply;
          });
    } catch (RuntimeException defect) {
      LOG.log(
          System.Logger.Level.ERROR,
          "The emulator failed to answer " + request.method() + " " + request.path(),
          defect);
      return ArmReply.of(
          ArmError.of(
              500, "InternalServerError", "The emulator has a defect; its log tells more."));
    }
  }

  /** Lets {@code use} have the model while no request is in it; it must not keep it. */
  public <R> R use(Function<ArmModel, R> use) {
    turn.lock();
    try {
      return use.apply(model);
    } finally {
      turn.unlock();
    }
  }

  /** The same without a result. */
  public void change(Consumer<ArmModel> change) {
    use(
        world -> {
          change.accept(world);
          return world;
        });
  }

  /** Replaces the model; the previous state is lost. */
  public void reset(ArmModel fresh) {
    turn.lock();
    try {
      model = fresh;
    } finally {
      turn.unlock();
    }
  }

  /** The current time of the model. */
  public Instant now() {
    return origin.plusNanos(time.nanos());
  }
}
