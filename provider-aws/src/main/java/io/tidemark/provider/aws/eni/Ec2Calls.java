package io.tidemark.provider.aws.eni;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.CreateInterfaceRequest;
import io.tidemark.provider.aws.ec2.Ec2Accounts;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.ElasticAddress;
import io.tidemark.provider.aws.ec2.Instance;
import io.tidemark.provider.aws.ec2.RouteTable;
import io.tidemark.provider.aws.ec2.SecurityGroup;
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
  private final Supplier<Ec2Accounts> ec2;
  private final CloudCalls networkCalls;
  private final CloudCalls instanceCalls;

  /**
   * Requests of one account, or of two, each with its buckets and breakers.
   *
   * @param ec2 asked inside of requests alone
   * @param networkCalls of the account that owns subnets and interfaces
   * @param instanceCalls of the account that owns the instances, the same where it is one
   */
  Ec2Calls(Supplier<Ec2Accounts> ec2, CloudCalls networkCalls, CloudCalls instanceCalls) {
    this.ec2 = ec2;
    this.networkCalls = networkCalls;
    this.instanceCalls = instanceCalls;
  }

  /** Where the requests go through that add addresses. */
  CloudCalls calls() {
    return networkCalls;
  }

  /** Whether a listing of VPCs is enough to find what is attached to nothing. */
  boolean listsUnattached() {
    return ec2.get().isOne();
  }

  /** A page of a listing. */
  @FunctionalInterface
  private interface Listing<T> {
    AwsPage<T> page(Ec2Api ec2, Optional<String> token) throws Ec2Failure;
  }

  // ---- reads

  /** As the instances' account, which sees what may be attached to them. */
  CompletionStage<CallResult<List<AwsNetworkInterface>>> attachable(
      Ec2Filter filter, CallContext context) {
    return interfaces(true, filter, context);
  }

  CompletionStage<CallResult<List<AwsNetworkInterface>>> attachedTo(
      Set<InstanceId> ids, CallContext context) {
    return attachable(Ec2Filter.ofInstances("attachment.instance-id", ids), context);
  }

  /** As the account that owns what we create. */
  CompletionStage<CallResult<List<AwsNetworkInterface>>> interfaces(
      Ec2Filter filter, CallContext context) {
    return interfaces(false, filter, context);
  }

  CompletionStage<CallResult<List<AwsNetworkInterface>>> find(InterfaceId id, CallContext context) {
    return interfaces(Ec2Filter.of("network-interface-id", Set.of(id.text())), context);
  }

  /** Those with all of these tags that are attached to nothing. */
  CompletionStage<CallResult<List<AwsNetworkInterface>>> available(
      Map<String, String> tags, CallContext context) {
    return interfaces(Ec2Filter.ofTags(tags).and("status", Set.of("available")), context);
  }

  private CompletionStage<CallResult<List<AwsNetworkInterface>>> interfaces(
      boolean accountOfInstances, Ec2Filter filter, CallContext context) {
    return whole(
        accountOfInstances,
        Ec2Operation.DESCRIBE_NETWORK_INTERFACES,
        context,
        (api, token) -> api.describeNetworkInterfaces(filter, token));
  }

  CompletionStage<CallResult<List<AwsSubnet>>> subnets(Ec2Filter filter, CallContext context) {
    return whole(
        Ec2Operation.DESCRIBE_SUBNETS, context, (api, token) -> api.describeSubnets(filter, token));
  }

  CompletionStage<CallResult<List<Vpc>>> vpcs(Ec2Filter filter, CallContext context) {
    return whole(
        Ec2Operation.DESCRIBE_VPCS, context, (api, token) -> api.describeVpcs(filter, token));
  }

  CompletionStage<CallResult<List<RouteTable>>> routeTables(Ec2Filter filter, CallContext context) {
    return whole(
        Ec2Operation.DESCRIBE_ROUTE_TABLES,
        context,
        (api, token) -> api.describeRouteTables(filter, token));
  }

  CompletionStage<CallResult<List<SecurityGroup>>> securityGroupsForVpc(
      String vpcId, CallContext context) {
    return whole(
        Ec2Operation.GET_SECURITY_GROUPS_FOR_VPC,
        context,
        (api, token) -> api.securityGroupsForVpc(vpcId, token));
  }

  CompletionStage<CallResult<List<SecurityGroup>>> securityGroups(
      Ec2Filter filter, CallContext context) {
    return whole(
        Ec2Operation.DESCRIBE_SECURITY_GROUPS,
        context,
        (api, token) -> api.describeSecurityGroups(filter, token));
  }

  CompletionStage<CallResult<List<Instance>>> instances(Set<InstanceId> ids, CallContext context) {
    return instances(Ec2Filter.ofInstances("instance-id", ids), context);
  }

  CompletionStage<CallResult<List<Instance>>> instances(Ec2Filter filter, CallContext context) {
    return whole(
        Ec2Operation.DESCRIBE_INSTANCES,
        context,
        (api, token) -> api.describeInstances(filter, token));
  }

  CompletionStage<CallResult<List<ElasticAddress>>> elasticAddresses(
      Map<String, String> tags, CallContext context) {
    return call(
        Ec2Operation.DESCRIBE_ADDRESSES,
        context,
        api -> api.describeAddresses(Ec2Filter.ofTags(tags)));
  }

  // ---- changes

  CompletionStage<CallResult<AwsNetworkInterface>> create(
      CreateInterfaceRequest request, CallContext context) {
    return networkCalls.call(
        Ec2Operation.CREATE_NETWORK_INTERFACE.kind(),
        context,
        attempt -> ec2.get().create(request));
  }

  /** Answers the attachment's id. */
  CompletionStage<CallResult<String>> attach(
      InterfaceId id, InstanceId to, int index, CallContext context) {
    return call(
        Ec2Operation.ATTACH_NETWORK_INTERFACE,
        context,
        api -> api.attachNetworkInterface(id, to, index));
  }

  CompletionStage<CallResult<InterfaceId>> markDeleteOnTermination(
      InterfaceId id, String attachmentId, boolean wanted, CallContext context) {
    return instanceCalls.call(
        Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE.kind(),
        context,
        attempt -> {
          ec2.get().modifyDeleteOnTermination(id, attachmentId, wanted);
          return id;
        });
  }

  /** Asks for the rung's prefixes, or else its singles. */
  CompletionStage<CallResult<AttachedInterface>> assign(
      InterfaceId id, Rung<AwsSubnet> rung, CallContext context) {
    return byOwner(
        Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES.kind(),
        id,
        context,
        api ->
            rung.blocks() > 0
                ? api.assignPrefixes(id, rung.blocks())
                : api.assignPrivateIpAddresses(id, rung.singles()));
  }

  CompletionStage<CallResult<List<Cidr>>> assignIpv6Prefixes(
      InterfaceId id, int count, CallContext context) {
    return byOwner(
        Ec2Operation.ASSIGN_IPV6_ADDRESSES.kind(),
        id,
        context,
        api -> api.assignIpv6Prefixes(id, count));
  }

  /** Asks for exactly this /28 or /80. */
  CompletionStage<CallResult<InterfaceId>> assignPrefix(
      InterfaceId id, Cidr prefix, CallContext context) {
    Ec2Operation operation =
        prefix.family() == IpFamily.IPV4
            ? Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES
            : Ec2Operation.ASSIGN_IPV6_ADDRESSES;
    return byOwner(
        operation.kind(), id, context, done(id, api -> api.assignNamedPrefix(id, prefix)));
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
    Ec2Api.Command command =
        prefixes.isEmpty()
            ? api -> api.unassignPrivateIpAddresses(id, singles)
            : api -> api.unassignPrefixes(id, prefixes);
    return networkCalls.call(
        kind,
        context,
        attempt -> {
          try {
            return ec2.get().byOwner(id, done(id, command));
          } catch (Ec2Failure refused) {
            if (attempt.number() > 1 && refused.code().startsWith("Invalid")) {
              throw new IOException("repeated, and refused: " + refused.text(), refused);
            }
            throw refused;
          }
        });
  }

  /** Begins to detach; a repetition that finds no attachment is answered as refused. */
  CompletionStage<CallResult<InterfaceId>> detach(
      InterfaceId id, String attachmentId, CallContext context) {
    return call(
        Ec2Operation.DETACH_NETWORK_INTERFACE,
        context,
        done(id, api -> api.detachNetworkInterface(attachmentId)));
  }

  /** Groups are changed by the account that owns the interface. */
  CompletionStage<CallResult<InterfaceId>> changeGroups(
      InterfaceId id, List<String> groups, CallContext context) {
    return call(
        false,
        Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE.kind(),
        context,
        done(id, api -> api.modifySecurityGroups(id, groups)));
  }

  CompletionStage<CallResult<InterfaceId>> delete(InterfaceId id, CallContext context) {
    return call(
        Ec2Operation.DELETE_NETWORK_INTERFACE,
        context,
        done(id, api -> api.deleteNetworkInterface(id)));
  }

  /** Returns the address, which is associated then. */
  CompletionStage<CallResult<IpAddress>> associate(
      ElasticAddress address, InterfaceId with, IpAddress primary, CallContext context) {
    return call(
        Ec2Operation.ASSOCIATE_ADDRESS,
        context,
        done(
            address.address(), api -> api.associateAddress(address.allocationId(), with, primary)));
  }

  private static <T> Ec2Api.Request<T> done(T answer, Ec2Api.Command command) {
    return api -> {
      command.send(api);
      return answer;
    };
  }

  private <T> CompletionStage<CallResult<T>> byOwner(
      CallKind kind, InterfaceId id, CallContext context, Ec2Api.Request<T> request) {
    return networkCalls.call(kind, context, attempt -> ec2.get().byOwner(id, request));
  }

  private <T> CompletionStage<CallResult<T>> call(
      Ec2Operation operation, CallContext context, Ec2Api.Request<T> request) {
    return call(operation.isOfInstances(), operation.kind(), context, request);
  }

  private <T> CompletionStage<CallResult<T>> call(
      boolean accountOfInstances, CallKind kind, CallContext context, Ec2Api.Request<T> request) {
    return (accountOfInstances ? instanceCalls : networkCalls)
        .call(kind, context, attempt -> request.send(ec2.get().as(accountOfInstances)));
  }

  private <T> CompletionStage<CallResult<List<T>>> whole(
      Ec2Operation operation, CallContext context, Listing<T> listing) {
    return whole(operation.isOfInstances(), operation, context, listing);
  }

  private <T> CompletionStage<CallResult<List<T>>> whole(
      boolean accountOfInstances, Ec2Operation operation, CallContext context, Listing<T> listing) {
    return new Pages<>(
            (Optional<String> token) ->
                call(
                    accountOfInstances, operation.kind(), context, api -> listing.page(api, token)),
            AwsPage::items,
            AwsPage::next)
        .all();
  }
}
