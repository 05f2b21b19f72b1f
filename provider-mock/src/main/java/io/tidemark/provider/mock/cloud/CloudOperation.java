package io.tidemark.provider.mock.cloud;

import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallKind.Effect;

/**
 * The requests this cloud understands, with the bucket that EC2 documents for each: size and refill
 * per second, one bucket per operation (performance L1). EC2 has no alias ranges; their buckets are
 * like those of similar requests.
 */
public enum CloudOperation {
  DESCRIBE_VPCS("DescribeVpcs", Effect.READ, 100, 20),
  DESCRIBE_SUBNETS("DescribeSubnets", Effect.READ, 100, 20),
  DESCRIBE_SECURITY_GROUPS("DescribeSecurityGroups", Effect.READ, 100, 20),
  DESCRIBE_INSTANCES("DescribeInstances", Effect.READ, 100, 20),
  DESCRIBE_NETWORK_INTERFACES("DescribeNetworkInterfaces", Effect.READ, 100, 20),
  DESCRIBE_ADDRESSES("DescribeAddresses", Effect.READ, 100, 20),
  CREATE_NETWORK_INTERFACE("CreateNetworkInterface", Effect.TOKENED, 100, 5),
  ATTACH_NETWORK_INTERFACE("AttachNetworkInterface", Effect.ONCE, 50, 5),
  MODIFY_NETWORK_INTERFACE_ATTRIBUTE("ModifyNetworkInterfaceAttribute", Effect.REPEATABLE, 100, 5),
  ASSIGN_PRIVATE_IP_ADDRESSES("AssignPrivateIpAddresses", Effect.ONCE, 100, 5),
  UNASSIGN_PRIVATE_IP_ADDRESSES("UnassignPrivateIpAddresses", Effect.REPEATABLE, 100, 5),
  DETACH_NETWORK_INTERFACE("DetachNetworkInterface", Effect.REPEATABLE, 50, 5),
  DELETE_NETWORK_INTERFACE("DeleteNetworkInterface", Effect.REPEATABLE, 100, 5),
  ASSOCIATE_ADDRESS("AssociateAddress", Effect.REPEATABLE, 50, 5),
  DESCRIBE_ALIAS_RANGES("DescribeAliasRanges", Effect.READ, 100, 20),
  ADD_ALIAS_RANGE("AddAliasRange", Effect.ONCE, 50, 5);

  private final String wire;
  private final Effect effect;
  private final int bucketSize;
  private final double refillPerSecond;

  CloudOperation(String wire, Effect effect, int bucketSize, double refillPerSecond) {
    this.wire = wire;
    this.effect = effect;
    this.bucketSize = bucketSize;
    this.refillPerSecond = refillPerSecond;
  }

  /** The operation's name on the wire. */
  public String wire() {
    return wire;
  }

  /** The effect of a repetition, under the same name. */
  public CallKind kind() {
    return new CallKind(wire, effect);
  }

  /** Documented bucket size, in calls. */
  public int bucketSize() {
    return bucketSize;
  }

  /** Documented refill, in calls per second. */
  public double refillPerSecond() {
    return refillPerSecond;
  }
}
