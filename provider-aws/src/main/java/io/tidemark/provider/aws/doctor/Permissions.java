package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.Ec2Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
    return Stream.concat(
            ALWAYS.stream(), features.stream().sorted().flatMap(each -> each.operations().stream()))
        .toList();
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
      boolean two = features.contains(Feature.TWO_ACCOUNTS);
      boolean both = two && isOfBoth(operation, features);
      if (!two || both || operation.isOfInstances()) {
        all.add(new Asked(operation, false));
      }
      if (two && (both || !operation.isOfInstances())) {
        all.add(new Asked(operation, true));
      }
    }
    return all;
  }

  /**
   * Whether both accounts are asked (7.2): for what is attached and for what is not; addresses and
   * security groups are changed by the owner of the interface, which is the network's account for
   * those that we create and the instances' for those that they were launched with.
   */
  private static boolean isOfBoth(Ec2Operation operation, Set<Feature> features) {
    return switch (operation) {
      case DESCRIBE_NETWORK_INTERFACES -> true;
      case MODIFY_NETWORK_INTERFACE_ATTRIBUTE -> features.contains(Feature.SECURITY_GROUPS);
      case ASSIGN_PRIVATE_IP_ADDRESSES, UNASSIGN_PRIVATE_IP_ADDRESSES, ASSIGN_IPV6_ADDRESSES ->
          features.contains(Feature.FIRST_INTERFACES);
      default -> false;
    };
  }

  static String statement(Ec2Operation operation, String region) {
    return statement(operation.iamAction(), resources(operation, region));
  }

  static String assume(String roleArn) {
    return statement(FailureWords.ASSUME_ROLE, List.of(roleArn));
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
      arns.add("arn:" + partition(region) + ":ec2:" + region + ":*:" + type + "/*");
    }
    return arns;
  }

  /** The separate part of AWS that a region is in, as ARNs name it. */
  static String partition(String region) {
    if (region.startsWith("cn-")) {
      return "aws-cn";
    }
    return region.startsWith("us-gov-") ? "aws-us-gov" : "aws";
  }
}
