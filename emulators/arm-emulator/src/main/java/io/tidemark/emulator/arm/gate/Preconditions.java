package io.tidemark.emulator.arm.gate;

import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.request.Refusal;

/** The header {@code If-None-Match} of a write: {@code *} lets it make a resource alone. Pure. */
public final class Preconditions {
  private Preconditions() {}

  /**
   * Refuses a write whose {@code If-None-Match} does not hold.
   *
   * @param exists whether the resource that it writes is there
   */
  public static void require(ArmRequest request, boolean exists) {
    if (!request.isWrite() || request.ifNoneMatch().isEmpty()) {
      return;
    }
    String given = request.ifNoneMatch().get();
    if (!given.equals("*")) {
      throw Refusal.of(
          400,
          "InvalidRequestContent",
          "The header If-None-Match is '" + given + "'; only '*' is supported.");
    }
    if (exists) {
      throw Refusal.of(
          412,
          "PreconditionFailed",
          "Precondition failed: " + request.path() + " exists, and If-None-Match is '*'.");
    }
  }
}
