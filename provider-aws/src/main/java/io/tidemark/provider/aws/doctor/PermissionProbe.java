package io.tidemark.provider.aws.doctor;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.ConnectionTracking;
import io.tidemark.provider.aws.ec2.CreateInterfaceRequest;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.Ec2Operation;
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
record PermissionProbe(Ec2Api.@Nullable Command request, String lacking, boolean dry) {
  /** No interface has this id. */
  private static final InterfaceId NOBODY = new InterfaceId("eni-00000000000000000");

  private static final Optional<String> FIRST_PAGE = Optional.empty();
  private static final String NO_INTERFACE =
      "no interface is attached to an instance that the nodes name";

  private static PermissionProbe of(Ec2Api.Command request) {
    return new PermissionProbe(request, "", true);
  }

  private static PermissionProbe onNobody(Ec2Api.Command request) {
    return new PermissionProbe(request, "", false);
  }

  private static <T> PermissionProbe on(
      Optional<T> target, String lacking, Function<T, Ec2Api.Command> request) {
    return target
        .map(found -> of(request.apply(found)))
        .orElseGet(() -> new PermissionProbe(null, lacking, true));
  }

  private static PermissionProbe onInterface(
      Optional<AwsNetworkInterface> target, Function<AwsNetworkInterface, Ec2Api.Command> request) {
    return on(target, NO_INTERFACE, request);
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
    if (asked.ofNetwork() && operation == Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE) {
      return onInterface(
          targets.detachable(),
          each -> ec2 -> ec2.modifySecurityGroups(each.id(), each.securityGroups()));
    }
    return operation.kind().effect() == CallKind.Effect.READ
        ? read(operation, targets)
        : change(operation, targets, subnets, tags, account);
  }

  private static PermissionProbe read(Ec2Operation operation, AwsTargets targets) {
    Ec2Filter vpc = Ec2Filter.of("vpc-id", Set.of(targets.vpc().orElse("vpc-00000000")));
    InstanceId instance = targets.instance().orElse(new InstanceId("i-00000000"));
    return switch (operation) {
      case DESCRIBE_NETWORK_INTERFACES -> of(ec2 -> ec2.describeNetworkInterfaces(vpc, FIRST_PAGE));
      case DESCRIBE_SUBNETS -> of(ec2 -> ec2.describeSubnets(vpc, FIRST_PAGE));
      case DESCRIBE_VPCS -> of(ec2 -> ec2.describeVpcs(vpc, FIRST_PAGE));
      case DESCRIBE_ROUTE_TABLES -> of(ec2 -> ec2.describeRouteTables(vpc, FIRST_PAGE));
      case DESCRIBE_SECURITY_GROUPS -> of(ec2 -> ec2.describeSecurityGroups(vpc, FIRST_PAGE));
      case GET_SECURITY_GROUPS_FOR_VPC ->
          on(
              targets.vpc(),
              "no node names its VPC",
              id -> ec2 -> ec2.securityGroupsForVpc(id, FIRST_PAGE));
      case DESCRIBE_INSTANCES ->
          of(
              ec2 ->
                  ec2.describeInstances(
                      Ec2Filter.ofInstances("instance-id", Set.of(instance)), FIRST_PAGE));
      case DESCRIBE_INSTANCE_TYPES ->
          of(
              ec2 ->
                  ec2.describeInstanceTypes(
                      Ec2Filter.of("instance-type", Set.of(targets.instanceType())), FIRST_PAGE));
      case DESCRIBE_TAGS -> of(ec2 -> ec2.describeTag(instance, "Name"));
      case DESCRIBE_ADDRESSES ->
          of(ec2 -> ec2.describeAddresses(Ec2Filter.ofTags(targets.staticTags())));
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
              targets.subnet(subnets),
              "neither settings nor nodes name a subnet",
              subnet -> create(subnet, targets.securityGroups(), tags));
      case CREATE_TAGS ->
          onInterface(targets.free(), each -> ec2 -> ec2.createTags(each.id(), tags));
      case ATTACH_NETWORK_INTERFACE ->
          onInterface(
              targets.free().filter(each -> targets.instance().isPresent()),
              each ->
                  ec2 ->
                      ec2.attachNetworkInterface(
                          each.id(), targets.instance().orElseThrow(), targets.freeIndex()));
      case MODIFY_NETWORK_INTERFACE_ATTRIBUTE ->
          onInterface(targets.detachable(), PermissionProbe::keepFlag);
      case DETACH_NETWORK_INTERFACE ->
          onInterface(
              targets.detachable(), each -> ec2 -> ec2.detachNetworkInterface(attachment(each)));
      case DELETE_NETWORK_INTERFACE ->
          onInterface(targets.free(), each -> ec2 -> ec2.deleteNetworkInterface(each.id()));
      case ASSIGN_PRIVATE_IP_ADDRESSES -> onNobody(ec2 -> ec2.assignPrivateIpAddresses(NOBODY, 1));
      case UNASSIGN_PRIVATE_IP_ADDRESSES ->
          onNobody(
              ec2 ->
                  ec2.unassignPrivateIpAddresses(
                      NOBODY, AddressSet.of(IpAddress.parse("192.0.2.1"))));
      case ASSIGN_IPV6_ADDRESSES -> onNobody(ec2 -> ec2.assignIpv6Prefixes(NOBODY, 1));
      case ASSOCIATE_ADDRESS ->
          on(
              targets.freeElastic().filter(each -> targets.first().isPresent()),
              "no elastic address that nodes ask for is free, or no interface is attached",
              address -> associate(address.allocationId(), targets.first().orElseThrow()));
      case CREATE_NETWORK_INTERFACE_PERMISSION ->
          onInterface(
              targets.free(),
              each -> ec2 -> ec2.createNetworkInterfacePermission(each.id(), account));
      default -> throw new IllegalArgumentException(operation + " is not a change");
    };
  }

  private static Ec2Api.Command create(
      String subnet, List<String> groups, Map<String, String> tags) {
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

  private static Ec2Api.Command associate(String allocationId, AwsNetworkInterface with) {
    return ec2 -> ec2.associateAddress(allocationId, with.id(), with.primary().orElseThrow());
  }

  private static Ec2Api.Command keepFlag(AwsNetworkInterface each) {
    boolean now = each.attachment().map(at -> at.deleteOnTermination()).orElse(true);
    return ec2 -> ec2.modifyDeleteOnTermination(each.id(), attachment(each), now);
  }

  private static String attachment(AwsNetworkInterface each) {
    return each.attachment().map(at -> at.id()).orElse("");
  }
}
