package io.tidemark.provider.aws.ec2;

import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallKind.Effect;

/**
 * The operations that we use, each with what repeating it would do (provider-aws 1.5) and its
 * documented request bucket (8.2, performance L1: "Request throttling for the Amazon EC2 API").
 */
public enum Ec2Operation {
  DESCRIBE_NETWORK_INTERFACES("DescribeNetworkInterfaces", Effect.READ, 100, 20),
  DESCRIBE_SUBNETS("DescribeSubnets", Effect.READ, 100, 20),
  DESCRIBE_VPCS("DescribeVpcs", Effect.READ, 100, 20),
  DESCRIBE_ROUTE_TABLES("DescribeRouteTables", Effect.READ, 100, 20),
  GET_SECURITY_GROUPS_FOR_VPC("GetSecurityGroupsForVpc", Effect.READ, 100, 20),
  DESCRIBE_SECURITY_GROUPS("DescribeSecurityGroups", Effect.READ, 100, 20),
  DESCRIBE_INSTANCES("DescribeInstances", Effect.READ, 100, 20),
  DESCRIBE_INSTANCE_TYPES("DescribeInstanceTypes", Effect.READ, 100, 20),
  DESCRIBE_TAGS("DescribeTags", Effect.READ, 100, 20),
  DESCRIBE_ADDRESSES("DescribeAddresses", Effect.READ, 100, 20),
  CREATE_NETWORK_INTERFACE("CreateNetworkInterface", Effect.TOKENED, 100, 5),
  ATTACH_NETWORK_INTERFACE("AttachNetworkInterface", Effect.ONCE, 50, 5),
  MODIFY_NETWORK_INTERFACE_ATTRIBUTE("ModifyNetworkInterfaceAttribute", Effect.REPEATABLE, 100, 5),
  ASSIGN_PRIVATE_IP_ADDRESSES("AssignPrivateIpAddresses", Effect.ONCE, 100, 5),
  UNASSIGN_PRIVATE_IP_ADDRESSES("UnassignPrivateIpAddresses", Effect.REPEATABLE, 100, 5),
  ASSIGN_IPV6_ADDRESSES("AssignIpv6Addresses", Effect.ONCE, 100, 5),
  DETACH_NETWORK_INTERFACE("DetachNetworkInterface", Effect.REPEATABLE, 50, 5),
  DELETE_NETWORK_INTERFACE("DeleteNetworkInterface", Effect.REPEATABLE, 100, 5),
  ASSOCIATE_ADDRESS("AssociateAddress", Effect.REPEATABLE, 50, 5),
  CREATE_TAGS("CreateTags", Effect.REPEATABLE, 100, 10),
  CREATE_NETWORK_INTERFACE_PERMISSION("CreateNetworkInterfacePermission", Effect.REPEATABLE, 50, 5);

  private final String action;
  private final Effect effect;
  private final int bucketSize;
  private final double refillPerSecond;

  Ec2Operation(String action, Effect effect, int bucketSize, double refillPerSecond) {
    this.action = action;
    this.effect = effect;
    this.bucketSize = bucketSize;
    this.refillPerSecond = refillPerSecond;
  }

  /** AWS's name of it, also the metric label. */
  public String action() {
    return action;
  }

  /** Its action in a policy. */
  public String iamAction() {
    return "ec2:" + action;
  }

  /** The bucket it draws on. */
  public CallKind kind() {
    return new CallKind(action, effect);
  }

  /** Whether the account of the instances answers it, else that of the network (7.2). */
  public boolean isOfInstances() {
    return switch (this) {
      case DESCRIBE_INSTANCES,
          DESCRIBE_INSTANCE_TYPES,
          DESCRIBE_TAGS,
          DESCRIBE_ADDRESSES,
          ATTACH_NETWORK_INTERFACE,
          DETACH_NETWORK_INTERFACE,
          MODIFY_NETWORK_INTERFACE_ATTRIBUTE,
          ASSOCIATE_ADDRESS ->
          true;
      default -> false;
    };
  }

  /** Requests that may go at once after a quiet time. */
  public int bucketSize() {
    return bucketSize;
  }

  /** The refill of its bucket. */
  public double refillPerSecond() {
    return refillPerSecond;
  }
}
