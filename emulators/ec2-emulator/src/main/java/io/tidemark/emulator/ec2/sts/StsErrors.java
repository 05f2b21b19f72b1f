package io.tidemark.emulator.ec2.sts;

import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.StsXml;

/** The refusals of STS ("Common errors", AWS STS API Reference). */
public final class StsErrors {
  /** A request without a signature to an action that wants one. */
  public static final Ec2Error UNSIGNED =
      new Ec2Error("MissingAuthenticationToken", "Request is missing Authentication Token", 403);

  /** An access key id that was not given out, or another token than the one it came with. */
  public static final Ec2Error WRONG_TOKEN =
      new Ec2Error(
          "InvalidClientTokenId", "The security token included in the request is invalid.", 403);

  public static final Ec2Error EXPIRED_TOKEN =
      new Ec2Error("ExpiredToken", "The security token included in the request is expired", 403);

  /** A signature for another service. */
  public static final Ec2Error WRONG_SERVICE =
      new Ec2Error(
          "SignatureDoesNotMatch", "Credential should be scoped to correct service: 'sts'.", 403);

  static final Ec2Error THROTTLED = Ec2Error.of("Throttling", "Rate exceeded");

  private StsErrors() {}

  static Ec2Refusal unknownAction(String action, String version) {
    return Ec2Refusal.of(
        "InvalidAction", "Could not find operation " + action + " for version " + version);
  }

  static Ec2Refusal otherVersion(String version) {
    return Ec2Refusal.of(
        "NoSuchVersion",
        "The requested version (" + version + ") is not valid; STS has " + StsXml.VERSION);
  }

  static Ec2Refusal validation(String message) {
    return Ec2Refusal.of("ValidationError", message);
  }

  static Ec2Refusal denied(String principal, String action, String resource) {
    return new Ec2Refusal(
        new Ec2Error(
            "AccessDenied",
            "User: "
                + principal
                + " is not authorized to perform: sts:"
                + action
                + " on resource: "
                + resource,
            403));
  }
}
