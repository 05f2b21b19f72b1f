package io.tidemark.emulator.arm.http;

import io.tidemark.emulator.arm.model.ArmModel;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.kit.http.EmulatorDoor;
import io.tidemark.time.TimeSource;

/** Answers requests. Thread-safe; waits only for its turn. */
public final class ArmHandler extends EmulatorDoor<ArmModel> {
  private static final System.Logger LOG = System.getLogger(ArmHandler.class.getName());

  public ArmHandler(ArmModel model, TimeSource time) {
    super(model, time);
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
}
