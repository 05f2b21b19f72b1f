package io.tidemark.emulator.ec2.pace;

import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.kit.pace.Faults;

/**
 * A fault of some requests. Immutable.
 *
 * @param action the action concerned; {@code *} for all
 * @param kind the fault
 * @param error the error of a FAIL
 * @param probability 0 to 1 for each matching request
 * @param skip requests that pass before the rule begins
 * @param times most requests that it hits
 */
public record Ec2FaultRule(
    String action, Kind kind, Ec2Error error, double probability, int skip, int times)
    implements Faults.Rule {
  /** The effect on a request that is hit. */
  public enum Kind {
    /** Refused with {@link Ec2FaultRule#error()}; nothing is done. */
    FAIL,
    /** Refused with RequestLimitExceeded; nothing is done. */
    THROTTLE,
    /** The request is carried out, but the connection breaks before the response. */
    LOSE_ANSWER,
    /** The connection breaks before the request is carried out. */
    LOSE_REQUEST,
    /** The request is carried out, and the response never arrives. */
    HANG,
    /** Only a part of the request is carried out; the response shows which. */
    PARTIAL
  }

  private static final Ec2Error INTERNAL =
      new Ec2Error("InternalError", "An internal error has occurred", 500);

  public Ec2FaultRule {
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

  /** Hits every request of this action. */
  public static Ec2FaultRule every(String action, Kind kind) {
    return new Ec2FaultRule(action, kind, INTERNAL, 1, 0, Integer.MAX_VALUE);
  }

  /** Fails every request of this action with this error. */
  public static Ec2FaultRule failing(String action, Ec2Error error) {
    return new Ec2FaultRule(action, Kind.FAIL, error, 1, 0, Integer.MAX_VALUE);
  }

  public Ec2FaultRule withProbability(double changed) {
    return new Ec2FaultRule(action, kind, error, changed, skip, times);
  }

  /** Passes {@code skipped} requests, then hits {@code hits} at most. */
  public Ec2FaultRule window(int skipped, int hits) {
    return new Ec2FaultRule(action, kind, error, probability, skipped, hits);
  }

  @Override
  public boolean isAbout(String name) {
    return action.equals("*") || action.equals(name);
  }
}
