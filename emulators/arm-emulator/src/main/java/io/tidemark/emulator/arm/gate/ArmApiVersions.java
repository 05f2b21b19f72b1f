package io.tidemark.emulator.arm.gate;

import io.tidemark.emulator.arm.request.Operation;
import io.tidemark.emulator.arm.request.Refusal;

/** Which versions of the API there are. Pure. */
public final class ArmApiVersions {
  /** The only version of the compute provider that lists network interfaces and what they have. */
  private static final String INTERFACES_OF_SETS = "2018-10-01";

  private static final String OLDEST = "2015-05-01";

  private ArmApiVersions() {}

  /** Refuses a request without a version, or with one that the operation does not have. */
  public static void require(Operation operation, String version) {
    if (version.isEmpty()) {
      throw Refusal.of(
          400,
          "MissingApiVersionParameter",
          "The api-version query parameter (?api-version=) is required for all requests.");
    }
    if (!version.matches("20[0-9]{2}-[01][0-9]-[0-3][0-9](-preview)?")
        || version.compareTo(OLDEST) < 0) {
      throw Refusal.of(
          400, "InvalidApiVersionParameter", "The api-version '" + version + "' is invalid.");
    }
    boolean ofSets =
        operation == Operation.INTERFACES_LIST_SCALE_SET
            || operation == Operation.INTERFACES_LIST_SCALE_SET_VM
            || operation == Operation.INTERFACES_GET_SCALE_SET
            || operation == Operation.PUBLIC_ADDRESSES_LIST_SCALE_SET
            || operation == Operation.PUBLIC_ADDRESSES_LIST_SCALE_SET_VM
            || operation == Operation.PUBLIC_ADDRESSES_GET_SCALE_SET;
    if (ofSets && version.compareTo(INTERFACES_OF_SETS) > 0) {
      throw Refusal.of(
          400,
          "NoRegisteredProviderFound",
          "No registered resource provider found for API version '"
              + version
              + "'; the supported one is "
              + INTERFACES_OF_SETS
              + ".");
    }
  }
}
