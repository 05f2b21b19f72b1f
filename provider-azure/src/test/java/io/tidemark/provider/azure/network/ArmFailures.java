package io.tidemark.provider.azure.network;

import java.util.Optional;

/** Failures of requests, for doors of tests. */
public final class ArmFailures {
  private ArmFailures() {}

  /** Azure answered with an error. */
  public static ArmFailure refused(int status, String code, String message) {
    return ArmFailure.refused(status, code, message, Optional.empty(), false);
  }
}
