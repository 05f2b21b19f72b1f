package io.tidemark.provider.aws.ec2;

import java.util.OptionalInt;

/**
 * How long an interface remembers idle connections, in seconds; what EC2 does not name keeps its
 * default.
 */
public record ConnectionTracking(
    OptionalInt tcpEstablishedSeconds, OptionalInt udpStreamSeconds, OptionalInt udpSeconds) {
  /** EC2's defaults. */
  public static final ConnectionTracking DEFAULT =
      new ConnectionTracking(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
}
