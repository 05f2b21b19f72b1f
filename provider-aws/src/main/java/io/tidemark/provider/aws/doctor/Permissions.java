package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.doctor.Asked.Account;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.IamAction;
import io.tidemark.provider.aws.ec2.Partition;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which permissions are needed, and how a policy grants them (provider-aws 9). Pure. */
final class Permissions {
  private static final List<Ec2Operation> ALWAYS =
      List.of(
          Ec2Operation.DESCRIBE_INSTANCES,
          Ec2Operation.DESCRIBE_INSTANCE_TYPES,
          Ec2Operation.DESCRIBE_NETWORK_INTERFACES,
          Ec2Operation.DESCRIBE_ROUTE_TABLES,
          Ec2Operation.DESCRIBE_SUBNETS,
          Ec2Operation.DESCRIBE_VPCS,
          Ec2Operation.DESCRIBE_SECURITY_GROUPS,
          Ec2Operation.GET_SECURITY_GROUPS_FOR_VPC,
          Ec2Operation.CREATE_NETWORK_INTERFACE,
          Ec2Operation.CREATE_TAGS,
          Ec2Operation.ATTACH_NETWORK_INTERFACE,
          Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE,
          Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES,
          Ec2Operation.DELETE_NETWORK_INTERFACE);

  private Permissions() {}

  static List<Ec2Operation> needed(Set<Feature> features) {
    List<Ec2Operation> all = new ArrayList<>(ALWAYS);
    if (features.contains(Feature.RELEASE)) {
      all.add(Ec2Operation.UNASSIGN_PRIVATE_IP_ADDRESSES);
    }
    if (features.contains(Feature.INTERFACE_RELEASE)) {
      all.add(Ec2Operation.DETACH_NETWORK_INTERFACE);
    }
    if (features.contains(Feature.IPV6)) {
      all.add(Ec2Operation.ASSIGN_IPV6_ADDRESSES);
    }
    if (features.contains(Feature.STATIC_ADDRESSES)) {
      all.add(Ec2Operation.DESCRIBE_ADDRESSES);
      all.add(Ec2Operation.ASSOCIATE_ADDRESS);
    }
    if (features.contains(Feature.CLUSTER_FROM_TAG)) {
      all.add(Ec2Operation.DESCRIBE_TAGS);
    }
    if (features.contains(Feature.TWO_ACCOUNTS)) {
      all.add(Ec2Operation.CREATE_NETWORK_INTERFACE_PERMISSION);
    }
    return all;
  }

  /** Of one kind of permission to read security groups one is enough. */
  static boolean isGroupRead(Ec2Operation operation) {
    return operation == Ec2Operation.DESCRIBE_SECURITY_GROUPS
        || operation == Ec2Operation.GET_SECURITY_GROUPS_FOR_VPC;
  }

  /** Every permission that is needed, of each account that must grant it. */
  static List<Asked> asked(Set<Feature> features) {
    List<Asked> all = new ArrayList<>();
    for (Ec2Operation operation : needed(features)) {
      accounts(operation, features).forEach(account -> all.add(new Asked(operation, account)));
    }
    return all;
  }

  /**
   * Who must grant it (7.2): as the requests go. What is attached is read, attached and marked by
   * the owner of the instances; addresses and security groups are changed by the owner of the
   * interface, which is the network's account for those that we create and the instances' for those
   * that they were launched with.
   */
  static Set<Account> accounts(Ec2Operation operation, Set<Feature> features) {
    if (!features.contains(Feature.TWO_ACCOUNTS)) {
      return Set.of(Account.INSTANCES);
    }
    return switch (operation) {
      case DESCRIBE_SUBNETS,
          DESCRIBE_VPCS,
          DESCRIBE_ROUTE_TABLES,
          GET_SECURITY_GROUPS_FOR_VPC,
          DESCRIBE_SECURITY_GROUPS,
          CREATE_NETWORK_INTERFACE,
          CREATE_TAGS,
          DELETE_NETWORK_INTERFACE,
          CREATE_NETWORK_INTERFACE_PERMISSION ->
          Set.of(Account.NETWORK);
      case DESCRIBE_INSTANCES,
          DESCRIBE_INSTANCE_TYPES,
          DESCRIBE_TAGS,
          DESCRIBE_ADDRESSES,
          ATTACH_NETWORK_INTERFACE,
          DETACH_NETWORK_INTERFACE,
          ASSOCIATE_ADDRESS ->
          Set.of(Account.INSTANCES);
      case DESCRIBE_NETWORK_INTERFACES -> EnumSet.allOf(Account.class);
      case MODIFY_NETWORK_INTERFACE_ATTRIBUTE ->
          features.contains(Feature.SECURITY_GROUPS)
              ? EnumSet.allOf(Account.class)
              : Set.of(Account.INSTANCES);
      case ASSIGN_PRIVATE_IP_ADDRESSES, UNASSIGN_PRIVATE_IP_ADDRESSES, ASSIGN_IPV6_ADDRESSES ->
          features.contains(Feature.FIRST_INTERFACES)
              ? EnumSet.allOf(Account.class)
              : Set.of(Account.NETWORK);
    };
  }

  static String statement(Ec2Operation operation, String region) {
    return statement(IamAction.of(operation), resources(operation, region));
  }

  static String assume(String roleArn) {
    return statement(IamAction.ASSUME_ROLE, List.of(roleArn));
  }

  private static String statement(String action, List<String> resources) {
    String all = resources.stream().map(Permissions::quoted).collect(Collectors.joining(", "));
    return "{\"Effect\": \"Allow\", \"Action\": "
        + quoted(action)
        + ", \"Resource\": "
        + (resources.size() == 1 ? all : "[" + all + "]")
        + "}";
  }

  private static String quoted(String text) {
    return "\"" + text + "\"";
  }

  /** Reads know no resources; a subnet may be shared by another account, so accounts are open. */
  private static List<String> resources(Ec2Operation operation, String region) {
    return switch (operation) {
      case CREATE_NETWORK_INTERFACE ->
          arns(region, "network-interface", "subnet", "security-group");
      case ATTACH_NETWORK_INTERFACE, DETACH_NETWORK_INTERFACE ->
          arns(region, "network-interface", "instance");
      case MODIFY_NETWORK_INTERFACE_ATTRIBUTE ->
          arns(region, "network-interface", "instance", "security-group");
      case ASSOCIATE_ADDRESS -> arns(region, "elastic-ip", "network-interface");
      case CREATE_TAGS,
          DELETE_NETWORK_INTERFACE,
          ASSIGN_PRIVATE_IP_ADDRESSES,
          UNASSIGN_PRIVATE_IP_ADDRESSES,
          ASSIGN_IPV6_ADDRESSES,
          CREATE_NETWORK_INTERFACE_PERMISSION ->
          arns(region, "network-interface");
      default -> List.of("*");
    };
  }

  private static List<String> arns(String region, String... types) {
    List<String> arns = new ArrayList<>();
    for (String type : types) {
      arns.add(Partition.of(region).arn("ec2", region, "*", type + "/*"));
    }
    return arns;
  }
}
