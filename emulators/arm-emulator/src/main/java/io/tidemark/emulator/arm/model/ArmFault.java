package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.kit.pace.Faults;
import io.tidemark.emulator.kit.scenario.Names;
import java.util.Locale;

/**
 * A fault of some requests. Immutable.
 *
 * @param operation the name of the operation concerned; {@code *} for all
 * @param on a part of the path, in lower case; empty for all
 * @param error the error of a FAIL or of a FAIL_OPERATION
 * @param probability 0 to 1 for each matching request
 * @param skip requests that pass before the rule begins
 * @param times most requests that it hits
 */
public record ArmFault(
    String operation, String on, Kind kind, ArmError error, double probability, int skip, int times)
    implements Faults.Rule {
  /** The effect on a request that is hit. */
  public enum Kind {
    /** Refused with {@link ArmFault#error()}; nothing is done. */
    FAIL,
    /** Accepted, but the operation fails at its end. */
    FAIL_OPERATION,
    /** Accepted, but the operation is canceled at its end. */
    CANCEL_OPERATION,
    /** Carried out; the connection breaks before the response. */
    LOSE_ANSWER,
    /** The connection breaks before the request is carried out. */
    LOSE_REQUEST,
    /** Carried out; the response never arrives. */
    HANG,
    /** Carried out; the response is a page of HTML with status 200. */
    HTML,
    /** Carried out; the body ends in its middle. */
    TRUNCATE
  }

  private static final ArmError INTERNAL =
      ArmError.of(500, "InternalServerError", "An internal error has occurred.");

  public ArmFault {
    if (!(probability >= 0 && probability <= 1) || skip < 0 || times < 0) {
      throw new IllegalArgumentException(
          "probability "
              + probability
              + ", skip "
              + skip
              + ", times "
              + times
              + "; expected a probability of 0 to 1 and no negative count");
    }
  }

  /** Hits every request of this operation. */
  public static ArmFault every(String operation, Kind kind) {
    return new ArmFault(operation, "", kind, INTERNAL, 1, 0, Integer.MAX_VALUE);
  }

  /** Refuses every request of this operation with this error. */
  public static ArmFault refusing(String operation, int status, String code) {
    return every(operation, Kind.FAIL).withError(ArmError.of(status, code, "It is refused."));
  }

  /** The same with this error. */
  public ArmFault withError(ArmError changed) {
    return new ArmFault(operation, on, kind, changed, probability, skip, times);
  }

  /** The same for paths that contain this text. */
  public ArmFault on(String part) {
    return new ArmFault(
        operation, part.toLowerCase(Locale.ROOT), kind, error, probability, skip, times);
  }

  public ArmFault withProbability(double changed) {
    return new ArmFault(operation, on, kind, error, changed, skip, times);
  }

  /** The same of the first request alone. */
  public ArmFault once() {
    return window(0, 1);
  }

  /** Passes {@code skipped} requests, then hits {@code hits} at most. */
  public ArmFault window(int skipped, int hits) {
    return new ArmFault(operation, on, kind, error, probability, skipped, hits);
  }

  /** As people see it. */
  public Document document() {
    return Document.of("operation", operation)
        .with("on", on)
        .with("kind", Names.of(kind))
        .with("code", error.code())
        .with("status", error.status())
        .with("probability", probability)
        .with("skip", skip)
        .with("times", times);
  }

  /** {@code name} is the operation, a blank and the path in lower case. */
  @Override
  public boolean isAbout(String name) {
    int blank = name.indexOf(' ');
    return (operation.equals("*") || name.substring(0, blank).equals(operation))
        && name.indexOf(on, blank) >= 0;
  }
}
