package io.tidemark.provider.aws.eni;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.aws.ec2.AssignedAddresses;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.CreateInterfaceRequest;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.ElasticAddress;
import io.tidemark.provider.aws.ec2.Instance;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.provider.aws.ec2.RouteTable;
import io.tidemark.provider.aws.ec2.SecurityGroup;
import io.tidemark.provider.aws.ec2.SubnetFilter;
import io.tidemark.provider.aws.ec2.Vpc;
import io.tidemark.provider.kit.Pages;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Requests to EC2 as stages: each page and each change is one leaf of {@link CloudCalls}; what is
 * listed comes whole, page after page.
 */
final class Ec2Calls {
  private static final Set<Ec2Operation> OF_INSTANCES =
      Collections.unmodifiableSet(
          EnumSet.of(
              Ec2Operation.DESCRIBE_INSTANCES,
              Ec2Operation.DESCRIBE_ADDRESSES,
              Ec2Operation.ATTACH_NETWORK_INTERFACE,
              Ec2Operation.DETACH_NETWORK_INTERFACE,
              Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE,
              Ec2Operation.ASSOCIATE_ADDRESS));

  private final Supplier<Ec2Api> ec2;
  private final CloudCalls networkCalls;
  private final CloudCalls instanceCalls;

  /**
   * Requests of one account, or of two, each with its buckets and breakers.
   *
   * @param ec2 asked inside of requests alone
   * @param networkCalls of the account that owns subnets and interfaces
   * @param instanceCalls of the account that owns the instances, the same where it is one
   */
  Ec2Calls(Supplier<Ec2Api> ec2, CloudCalls networkCalls, CloudCalls instanceCalls) {
    this.ec2 = ec2;
    this.networkCalls = networkCalls;
    this.instanceCalls = instanceCalls;
  }

  /** Where the requests go through that add addresses. */
  CloudCalls calls() {
    return networkCalls;
  }

  private CloudCalls door(Ec2Operation operation) {
    return OF_INSTANCES.contains(operation) ? instanceCalls : networkCalls;
  }

  /** Attached interfaces are requested of the instances' account. */
  private CloudCalls door(InterfaceQuery query) {
    return query instanceof InterfaceQuery.OfInstances || query instanceof InterfaceQuery.OfVpcs
        ? instanceCalls
        : networkCalls;
  }

  /** Whether a listing of VPCs is enough to find what is attached to nothing. */
  boolean listsUnattached() {
    return ec2.get().listsUnattached();
  }

  /** A page of a listing. */
  @FunctionalInterface
  private interface Listing<T> {
    AwsPage<T> page(Optional<String> token) throws Ec2Failure;
  }

  /** A request without an answer of interest. */
  @FunctionalInterface
  private interface Command {
    void send() throws Ec2Failure;
  }

  // ---- reads

  CompletionStage<CallResult<List<AwsNetworkInterface>>> interfaces(
      InterfaceQuery query, CallContext context) {
    return whole(
        door(query),
        Ec2Operation.DESCRIBE_NETWORK_INTERFACES,
        context,
        token -> ec2.get().describeNetworkInterfaces(query, token));
  }

  CompletionStage<CallResult<List<AwsSubnet>>> subnets(SubnetFilter filter, CallContext context) {
    return whole(
        Ec2Operation.DESCRIBE_SUBNETS, context, token -> ec2.get().describeSubnets(filter, token));
  }

  CompletionStage<CallResult<List<Vpc>>> vpcs(Set<String> ids, CallContext context) {
    return whole(Ec2Operation.DESCRIBE_VPCS, context, token -> ec2.get().describeVpcs(ids, token));
  }

  CompletionStage<CallResult<List<RouteTable>>> routeTables(
      Set<String> vpcIds, CallContext context) {
    return whole(
        Ec2Operation.DESCRIBE_ROUTE_TABLES,
        context,
        token -> ec2.get().describeRouteTables(vpcIds, token));
  }

  CompletionStage<CallResult<List<SecurityGroup>>> securityGroupsForVpc(
      String vpcId, CallContext context) {
    return whole(
        Ec2Operation.GET_SECURITY_GROUPS_FOR_VPC,
        context,
        token -> ec2.get().securityGroupsForVpc(vpcId, token));
  }

  CompletionStage<CallResult<List<SecurityGroup>>> securityGroups(
      Set<String> vpcIds, CallContext context) {
    return whole(
        Ec2Operation.DESCRIBE_SECURITY_GROUPS,
        context,
        token -> ec2.get().describeSecurityGroups(vpcIds, token));
  }

  CompletionStage<CallResult<List<Instance>>> instances(Set<InstanceId> ids, CallContext context) {
    return whole(
        Ec2Operation.DESCRIBE_INSTANCES, context, token -> ec2.get().describeInstances(ids, token));
  }

  CompletionStage<CallResult<List<Instance>>> idleInstances(
      Set<String> vpcIds, CallContext context) {
    return whole(
        Ec2Operation.DESCRIBE_INSTANCES,
        context,
        token -> ec2.get().describeIdleInstances(vpcIds, token));
  }

  CompletionStage<CallResult<List<Instance>>> taggedInstances(
      Map<String, String> tags, CallContext context) {
    return whole(
        Ec2Operation.DESCRIBE_INSTANCES,
        context,
        token -> ec2.get().describeTaggedInstances(tags, token));
  }

  CompletionStage<CallResult<List<ElasticAddress>>> elasticAddresses(
      Map<String, String> tags, CallContext context) {
    return call(
        Ec2Operation.DESCRIBE_ADDRESSES, context, attempt -> ec2.get().describeAddresses(tags));
  }

  // ---- changes

  CompletionStage<CallResult<AwsNetworkInterface>> create(
      CreateInterfaceRequest request, CallContext context) {
    return call(
        Ec2Operation.CREATE_NETWORK_INTERFACE,
        context,
        attempt -> ec2.get().createNetworkInterface(request));
  }

  /** Answers the attachment's id. */
  CompletionStage<CallResult<String>> attach(
      InterfaceId id, InstanceId to, int index, CallContext context) {
    return call(
        Ec2Operation.ATTACH_NETWORK_INTERFACE,
        context,
        attempt -> ec2.get().attachNetworkInterface(id, to, index));
  }

  CompletionStage<CallResult<InterfaceId>> markDeleteOnTermination(
      InterfaceId id, String attachmentId, boolean wanted, CallContext context) {
    return send(
        Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE,
        id,
        context,
        () -> ec2.get().modifyDeleteOnTermination(id, attachmentId, wanted));
  }

  /** Asks for the rung's prefixes, or else its singles. */
  CompletionStage<CallResult<AttachedInterface>> assign(
      InterfaceId id, Rung<AwsSubnet> rung, CallContext context) {
    return call(
        Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES,
        context,
        attempt -> {
          AssignedAddresses got =
              rung.blocks() > 0
                  ? ec2.get().assignPrefixes(id, rung.blocks())
                  : ec2.get().assignPrivateIpAddresses(id, rung.singles());
          return new AttachedInterface(id, got.singles(), got.prefixes());
        });
  }

  CompletionStage<CallResult<List<Cidr>>> assignIpv6Prefixes(
      InterfaceId id, int count, CallContext context) {
    return call(
        Ec2Operation.ASSIGN_IPV6_ADDRESSES,
        context,
        attempt -> ec2.get().assignIpv6Prefixes(id, count));
  }

  /** Asks for exactly this /28 or /80. */
  CompletionStage<CallResult<InterfaceId>> assignPrefix(
      InterfaceId id, Cidr prefix, CallContext context) {
    return send(
        prefix.family() == IpFamily.IPV4
            ? Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES
            : Ec2Operation.ASSIGN_IPV6_ADDRESSES,
        id,
        context,
        () -> ec2.get().assignNamedPrefix(id, prefix));
  }

  /**
   * Takes singles or prefixes away. Of a repetition that is refused the first attempt may have been
   * the cause, so its answer counts as lost.
   */
  CompletionStage<CallResult<InterfaceId>> unassign(
      InterfaceId id, AddressSet singles, List<Cidr> prefixes, CallContext context) {
    return unassign(
        Ec2Operation.UNASSIGN_PRIVATE_IP_ADDRESSES.kind(), id, singles, prefixes, context);
  }

  /** The same as a request that is not repeated when its answer is lost. */
  CompletionStage<CallResult<InterfaceId>> unassignOnce(
      InterfaceId id, AddressSet singles, List<Cidr> prefixes, CallContext context) {
    return unassign(Ec2CallLimits.UNASSIGN_ONCE, id, singles, prefixes, context);
  }

  private CompletionStage<CallResult<InterfaceId>> unassign(
      CallKind kind, InterfaceId id, AddressSet singles, List<Cidr> prefixes, CallContext context) {
    return networkCalls.call(
        kind,
        context,
        attempt -> {
          try {
            if (prefixes.isEmpty()) {
              ec2.get().unassignPrivateIpAddresses(id, singles);
            } else {
              ec2.get().unassignPrefixes(id, prefixes);
            }
          } catch (Ec2Failure refused) {
            if (attempt.number() > 1 && refused.code().startsWith("Invalid")) {
              throw new IOException("repeated, and refused: " + refused.text(), refused);
            }
            throw refused;
          }
          return id;
        });
  }

  /** Begins to detach; a repetition that finds no attachment is answered as refused. */
  CompletionStage<CallResult<InterfaceId>> detach(
      InterfaceId id, String attachmentId, CallContext context) {
    return send(
        Ec2Operation.DETACH_NETWORK_INTERFACE,
        id,
        context,
        () -> ec2.get().detachNetworkInterface(attachmentId));
  }

  /** Groups are changed by the account that owns the interface. */
  CompletionStage<CallResult<InterfaceId>> changeGroups(
      InterfaceId id, List<String> groups, CallContext context) {
    return networkCalls.call(
        Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE.kind(),
        context,
        attempt -> {
          ec2.get().modifySecurityGroups(id, groups);
          return id;
        });
  }

  CompletionStage<CallResult<InterfaceId>> delete(InterfaceId id, CallContext context) {
    return send(
        Ec2Operation.DELETE_NETWORK_INTERFACE,
        id,
        context,
        () -> ec2.get().deleteNetworkInterface(id));
  }

  /** Returns the address, which is associated then. */
  CompletionStage<CallResult<IpAddress>> associate(
      ElasticAddress address, InterfaceId with, IpAddress primary, CallContext context) {
    return call(
        Ec2Operation.ASSOCIATE_ADDRESS,
        context,
        attempt -> {
          ec2.get().associateAddress(address.allocationId(), with, primary);
          return address.address();
        });
  }

  private CompletionStage<CallResult<InterfaceId>> send(
      Ec2Operation operation, InterfaceId id, CallContext context, Command command) {
    return call(
        operation,
        context,
        attempt -> {
          command.send();
          return id;
        });
  }

  private <T> CompletionStage<CallResult<T>> call(
      Ec2Operation operation, CallContext context, CloudCalls.Leaf<T> leaf) {
    return door(operation).call(operation.kind(), context, leaf);
  }

  private <T> CompletionStage<CallResult<List<T>>> whole(
      Ec2Operation operation, CallContext context, Listing<T> listing) {
    return whole(door(operation), operation, context, listing);
  }

  private static <T> CompletionStage<CallResult<List<T>>> whole(
      CloudCalls calls, Ec2Operation operation, CallContext context, Listing<T> listing) {
    return new Pages<>(
            (Optional<String> token) ->
                calls.call(operation.kind(), context, attempt -> listing.page(token)),
            AwsPage::items,
            AwsPage::next)
        .all();
  }
}
