package io.tidemark.emulator.ec2.model;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * How long idle connections of an interface are tracked, in seconds; empty for EC2's default
 * ("Amazon EC2 security group connection tracking", Amazon EC2 User Guide).
 */
public record ConnectionTracking(
    OptionalInt tcpEstablishedSeconds, OptionalInt udpStreamSeconds, OptionalInt udpSeconds) {
  /** EC2's defaults. */
  public static final ConnectionTracking DEFAULT =
      new ConnectionTracking(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());

  public ConnectionTracking {
    Objects.requireNonNull(tcpEstablishedSeconds, "tcpEstablishedSeconds");
    Objects.requireNonNull(udpStreamSeconds, "udpStreamSeconds");
    Objects.requireNonNull(udpSeconds, "udpSeconds");
  }
}
