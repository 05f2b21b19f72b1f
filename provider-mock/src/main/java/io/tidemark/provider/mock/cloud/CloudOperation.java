package io.tidemark.provider.mock.cloud;

import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallKind.Effect;

/**
 * The requests of this cloud, each with its request bucket: size and refill per second (performance
 * L1). The names are those that {@code mock-faults}, {@code mock-latency} and scenarios use.
 */
public enum CloudOperation {
  DESCRIBE_SUBNETS("DescribeSubnets", Effect.READ, 100, 20),
  DESCRIBE_INTERFACES("DescribeNetworkInterfaces", Effect.READ, 100, 20),
  CREATE_INTERFACE("CreateNetworkInterface", Effect.TOKENED, 100, 5),
  ATTACH_INTERFACE("AttachNetworkInterface", Effect.ONCE, 50, 5),
  ASSIGN_ADDRESSES("AssignPrivateIpAddresses", Effect.ONCE, 100, 5),
  UNASSIGN_ADDRESSES("UnassignPrivateIpAddresses", Effect.REPEATABLE, 100, 5),
  DELETE_INTERFACE("DeleteNetworkInterface", Effect.REPEATABLE, 100, 5),
  ADD_ALIAS_RANGE("AddAliasRange", Effect.ONCE, 50, 5);

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  private final CallKind kind;

  private final int bucketSize;
  private final double refillPerSecond;

  CloudOperation(String wire, Effect effect, int bucketSize, double refillPerSecond) {
    this.kind = new CallKind(wire, effect);
    this.bucketSize = bucketSize;
    this.refillPerSecond = refillPerSecond;
  }

  /** The operation's name on the wire. */
  public String wire() {
    return kind.name();
  }

  /** The effect of a repetition, under the same name. */
  public CallKind kind() {
    return kind;
  }

  /** Bucket size, in calls. */
  public int bucketSize() {
    return bucketSize;
  }

  /** Refill of the bucket, in calls per second. */
  public double refillPerSecond() {
    return refillPerSecond;
  }
}
