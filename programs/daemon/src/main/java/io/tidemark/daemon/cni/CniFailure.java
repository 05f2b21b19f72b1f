package io.tidemark.daemon.cni;

import io.tidemark.error.ErrorCode;
import java.util.Collection;
import java.util.List;

/**
 * Why a request was refused, as the CNI specification writes it.
 *
 * @param code of the specification below 100, else a number of ours
 * @param message a name
 * @param details for people, with the offending value
 */
record CniFailure(int code, String message, String details) {
  private static final int INCOMPATIBLE_VERSION = 1;
  private static final int UNSUPPORTED_FIELD = 2;
  private static final int UNKNOWN_CONTAINER = 3;
  private static final int INVALID_VARIABLES = 4;
  private static final int UNDECODABLE = 6;
  private static final int INVALID_CONFIGURATION = 7;
  private static final int TRY_AGAIN = 11;
  private static final int UNAVAILABLE = 50;

  static CniFailure incompatibleVersion(String version, Collection<String> known) {
    return new CniFailure(
        INCOMPATIBLE_VERSION,
        "incompatible CNI version",
        "cniVersion is '" + version + "'; expected one of " + String.join(", ", known));
  }

  static CniFailure commandTooNew(String command, String since, String version) {
    return new CniFailure(
        INCOMPATIBLE_VERSION,
        "incompatible CNI version",
        "cniVersion is '" + version + "'; " + command + " exists since " + since);
  }

  static CniFailure requestedAddresses(String where) {
    return new CniFailure(
        UNSUPPORTED_FIELD,
        "unsupported field in the network configuration",
        where + " asks for addresses; the agent chooses them itself, leave it out");
  }

  static CniFailure unsupportedField(List<String> names) {
    return new CniFailure(
        UNSUPPORTED_FIELD,
        "unsupported field in the network configuration",
        "ipam has " + String.join(", ", names) + "; expected only type, pool and routes");
  }

  static CniFailure unknownContainer(AttachmentKey key) {
    return new CniFailure(
        UNKNOWN_CONTAINER, "unknown container", key + " is not attached; add it again");
  }

  static CniFailure invalidVariables(String details) {
    return new CniFailure(INVALID_VARIABLES, "invalid environment variables", details);
  }

  static CniFailure undecodable(String details) {
    return new CniFailure(UNDECODABLE, "failed to decode content", details);
  }

  static CniFailure invalidConfiguration(String details) {
    return new CniFailure(INVALID_CONFIGURATION, "invalid network configuration", details);
  }

  static CniFailure tryAgain(String details) {
    return new CniFailure(TRY_AGAIN, "try again later", details);
  }

  static CniFailure unavailable(String details) {
    return new CniFailure(UNAVAILABLE, "plugin not available", details);
  }

  static CniFailure of(ErrorCode code, String details) {
    return new CniFailure(
        code.number(),
        code.name(),
        code.label() + " " + code.name() + ": " + details + ". " + code.remedy());
  }
}
