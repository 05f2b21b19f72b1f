package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.Ec2Operation;
import java.util.List;

/** The used features of the provider, as far as they decide about permissions (provider-aws 9). */
public enum Feature {
  RELEASE(Ec2Operation.UNASSIGN_PRIVATE_IP_ADDRESSES),
  INTERFACE_RELEASE(Ec2Operation.DETACH_NETWORK_INTERFACE),
  IPV6(Ec2Operation.ASSIGN_IPV6_ADDRESSES),
  STATIC_ADDRESSES(Ec2Operation.DESCRIBE_ADDRESSES, Ec2Operation.ASSOCIATE_ADDRESS),
  CLUSTER_FROM_TAG(Ec2Operation.DESCRIBE_TAGS),
  /** VPC and subnets belong to another account than the instances. */
  TWO_ACCOUNTS(Ec2Operation.CREATE_NETWORK_INTERFACE_PERMISSION),
  /** Security groups of interfaces that exist are changed. */
  SECURITY_GROUPS(),
  /** The interfaces that instances were launched with serve pods, too. */
  FIRST_INTERFACES();

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<Ec2Operation> operations;

  Feature(Ec2Operation... operations) {
    this.operations = List.of(operations);
  }

  /** Those that nothing else needs. */
  List<Ec2Operation> operations() {
    return operations;
  }
}
