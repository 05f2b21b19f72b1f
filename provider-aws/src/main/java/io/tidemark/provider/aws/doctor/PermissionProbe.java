package io.tidemark.provider.aws.doctor;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.ConnectionTracking;
import io.tidemark.provider.aws.ec2.CreateInterfaceRequest;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.provider.aws.ec2.SubnetFilter;
import io.tidemark.resilience.CallKind;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request as the provider sends it, on resources of the cluster; or why there is none.
 *
 * @param request null when a resource is missing
 * @param lacking which; empty with a request
 * @param dry whether it must be sent as a dry run; else it is for an interface that does not exist,
 *     because EC2 knows no dry run of it
 */
record PermissionProbe(
    Ec2Operation operation, @Nullable Request request, String lacking, boolean dry) {
  /** No interface has this id. */
  private static final InterfaceId NOBODY = new InterfaceId("eni-00000000000000000");

  private static final Optional<String> FIRST_PAGE = Optional.empty();
  private static final String NO_INTERFACE =
      "no interface is attached to an instance that the nodes name";

  /** Sends it. */
  @FunctionalInterface
  interface Request {
    void send(Ec2Api ec2) throws Ec2Failure;
  }

  private static PermissionProbe of(Ec2Operation operation, Request request) {
    return new PermissionProbe(operation, request, "", true);
  }

  private static PermissionProbe onNobody(Ec2Operation operation, Request request) {
    return new PermissionProbe(operation, request, "", false);
  }

  private static PermissionProbe without(Ec2Operation operation, String lacking) {
    return new PermissionProbe(operation, null, lacking, true);
  }

  private static <T> PermissionProbe on(
      Ec2Operation operation, Optional<T> target, String lacking, Function<T, Request> request) {
    return target
        .map(found -> of(operation, request.apply(found)))
        .orElseGet(() -> without(operation, lacking));
  }

  /**
   * The probe of an operation.
   *
   * @param subnets the only ones where interfaces are created; empty for any
   * @param tags what a created interface would carry
   * @param account that of the instances
   */
  static PermissionProbe of(
      Asked asked,
      AwsTargets targets,
      Set<String> subnets,
      Map<String, String> tags,
      String account) {
    Ec2Operation operation = asked.operation();
    if (asked.equals(Asked.ofNetwork(Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE))) {
      return on(operation, targets.detachable(), NO_INTERFACE, PermissionProbe::keepGroups);
    }
    return operation.kind().effect() == CallKind.Effect.READ
        ? read(operation, targets)
        : change(operation, targets, subnets, tags, account);
  }

  private static PermissionProbe read(Ec2Operation operation, AwsTargets targets) {
    String vpc = targets.vpc().orElse("vpc-00000000");
    InstanceId instance = targets.instance().orElse(new InstanceId("i-00000000"));
    return switch (operation) {
      case DESCRIBE_NETWORK_INTERFACES ->
          of(
              operation,
              ec2 ->
                  ec2.describeNetworkInterfaces(
                      new InterfaceQuery.OfVpcs(Set.of(vpc)), FIRST_PAGE));
      case DESCRIBE_SUBNETS ->
          of(
              operation,
              ec2 ->
                  ec2.describeSubnets(
                      new SubnetFilter(Set.of(vpc), Set.of(), Map.of()), FIRST_PAGE));
      case DESCRIBE_VPCS -> of(operation, ec2 -> ec2.describeVpcs(Set.of(vpc), FIRST_PAGE));
      case DESCRIBE_ROUTE_TABLES ->
          of(operation, ec2 -> ec2.describeRouteTables(Set.of(vpc), FIRST_PAGE));
      case DESCRIBE_SECURITY_GROUPS ->
          of(operation, ec2 -> ec2.describeSecurityGroups(Set.of(vpc), FIRST_PAGE));
      case GET_SECURITY_GROUPS_FOR_VPC ->
          on(
              operation,
              targets.vpc(),
              "no node names its VPC",
              id -> ec2 -> ec2.securityGroupsForVpc(id, FIRST_PAGE));
      case DESCRIBE_INSTANCES ->
          of(operation, ec2 -> ec2.describeInstances(Set.of(instance), FIRST_PAGE));
      case DESCRIBE_INSTANCE_TYPES ->
          of(
              operation,
              ec2 -> ec2.describeInstanceTypes(Set.of(targets.instanceType()), FIRST_PAGE));
      case DESCRIBE_TAGS -> of(operation, ec2 -> ec2.describeTag(instance, "Name"));
      case DESCRIBE_ADDRESSES -> of(operation, ec2 -> ec2.describeAddresses(targets.staticTags()));
      default -> throw new IllegalArgumentException(operation + " is not a read");
    };
  }

  private static PermissionProbe change(
      Ec2Operation operation,
      AwsTargets targets,
      Set<String> subnets,
      Map<String, String> tags,
      String account) {
    return switch (operation) {
      case CREATE_NETWORK_INTERFACE ->
          on(
              operation,
              targets.subnet(subnets),
              "neither settings nor nodes name a subnet",
              subnet -> create(subnet, targets.securityGroups(), tags));
      case CREATE_TAGS ->
          on(
              operation,
              targets.free(),
              NO_INTERFACE,
              each -> ec2 -> ec2.createTags(each.id(), tags));
      case ATTACH_NETWORK_INTERFACE ->
          on(
              operation,
              targets.free().filter(each -> targets.instance().isPresent()),
              NO_INTERFACE,
              each ->
                  ec2 ->
                      ec2.attachNetworkInterface(
                          each.id(), targets.instance().orElseThrow(), targets.freeIndex()));
      case MODIFY_NETWORK_INTERFACE_ATTRIBUTE ->
          on(operation, targets.detachable(), NO_INTERFACE, PermissionProbe::keepFlag);
      case DETACH_NETWORK_INTERFACE ->
          on(
              operation,
              targets.detachable(),
              NO_INTERFACE,
              each -> ec2 -> ec2.detachNetworkInterface(attachment(each)));
      case DELETE_NETWORK_INTERFACE ->
          on(
              operation,
              targets.free(),
              NO_INTERFACE,
              each -> ec2 -> ec2.deleteNetworkInterface(each.id()));
      case ASSIGN_PRIVATE_IP_ADDRESSES ->
          onNobody(operation, ec2 -> ec2.assignPrivateIpAddresses(NOBODY, 1));
      case UNASSIGN_PRIVATE_IP_ADDRESSES ->
          onNobody(
              operation,
              ec2 ->
                  ec2.unassignPrivateIpAddresses(
                      NOBODY, AddressSet.of(IpAddress.parse("192.0.2.1"))));
      case ASSIGN_IPV6_ADDRESSES -> onNobody(operation, ec2 -> ec2.assignIpv6Prefixes(NOBODY, 1));
      case ASSOCIATE_ADDRESS ->
          on(
              operation,
              targets.freeElastic().filter(each -> targets.first().isPresent()),
              "no elastic address that nodes ask for is free, or no interface is attached",
              address -> associate(address.allocationId(), targets.first().orElseThrow()));
      case CREATE_NETWORK_INTERFACE_PERMISSION ->
          on(
              operation,
              targets.free(),
              NO_INTERFACE,
              each -> ec2 -> ec2.createNetworkInterfacePermission(each.id(), account));
      default -> throw new IllegalArgumentException(operation + " is not a change");
    };
  }

  private static Request create(String subnet, List<String> groups, Map<String, String> tags) {
    CreateInterfaceRequest request =
        new CreateInterfaceRequest(
            new PoolId(subnet),
            "Tidemark doctor",
            groups,
            tags,
            1,
            0,
            0,
            ConnectionTracking.DEFAULT,
            "tidemark-doctor");
    return ec2 -> ec2.createNetworkInterface(request);
  }

  private static Request associate(String allocationId, AwsNetworkInterface with) {
    return ec2 -> ec2.associateAddress(allocationId, with.id(), with.primary().orElseThrow());
  }

  private static Request keepFlag(AwsNetworkInterface each) {
    boolean now = each.attachment().map(at -> at.deleteOnTermination()).orElse(true);
    return ec2 -> ec2.modifyDeleteOnTermination(each.id(), attachment(each), now);
  }

  private static Request keepGroups(AwsNetworkInterface each) {
    return ec2 -> ec2.modifySecurityGroups(each.id(), each.securityGroups());
  }

  private static String attachment(AwsNetworkInterface each) {
    return each.attachment().map(at -> at.id()).orElse("");
  }
}
