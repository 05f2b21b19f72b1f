package io.tidemark.provider.aws.ec2;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The operations of EC2 that the provider uses (provider-aws 1.1). Each method is exactly one
 * request: it blocks until the response, and does not wait, retry or page. It is called only as a
 * leaf of {@code CloudCalls}.
 *
 * <p>Every method throws {@link Ec2Failure} if EC2 refused, if nothing could be sent, or if the
 * response was lost; the failure says which. Thread-safe. Nulls: none in, none out.
 */
public interface Ec2Api {
  /**
   * Whether a listing of VPCs includes detached interfaces; otherwise {@link
   * InterfaceQuery.Available} lists them.
   */
  default boolean listsUnattached() {
    return true;
  }

  // ---- reads

  /** Interfaces, a page of at most 1,000; the first page without a token. */
  AwsPage<AwsNetworkInterface> describeNetworkInterfaces(
      InterfaceQuery query, Optional<String> token) throws Ec2Failure;

  AwsPage<AwsSubnet> describeSubnets(SubnetFilter filter, Optional<String> token) throws Ec2Failure;

  /** VPCs; ids that do not exist are left out. */
  AwsPage<Vpc> describeVpcs(Set<String> ids, Optional<String> token) throws Ec2Failure;

  /** Route tables of VPCs, a page of at most 100. */
  AwsPage<RouteTable> describeRouteTables(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure;

  /** Groups that interfaces of the VPC may use, those shared with us too, without their rules. */
  AwsPage<SecurityGroup> securityGroupsForVpc(String vpcId, Optional<String> token)
      throws Ec2Failure;

  /** Groups of VPCs by the operation that older permissions allow. */
  AwsPage<SecurityGroup> describeSecurityGroups(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure;

  /** Instances by id, at most 200; omits those that do not exist. */
  AwsPage<Instance> describeInstances(Set<InstanceId> ids, Optional<String> token)
      throws Ec2Failure;

  /** Instances of these VPCs that are pending, stopping, stopped or shutting down. */
  AwsPage<Instance> describeIdleInstances(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure;

  AwsPage<Instance> describeTaggedInstances(Map<String, String> tags, Optional<String> token)
      throws Ec2Failure;

  /**
   * The capacity of instance types, at most 100.
   *
   * @throws Ec2Failure also when one of them does not exist
   */
  AwsPage<InstanceType> describeInstanceTypes(Set<String> names, Optional<String> token)
      throws Ec2Failure;

  Optional<String> describeTag(InstanceId instance, String key) throws Ec2Failure;

  List<ElasticAddress> describeAddresses(Map<String, String> tags) throws Ec2Failure;

  // ---- changes

  /** Creates an interface; the same token and request return the same interface. */
  AwsNetworkInterface createNetworkInterface(CreateInterfaceRequest request) throws Ec2Failure;

  /**
   * Attaches an interface on network card 0.
   *
   * @return the attachment's id
   */
  String attachNetworkInterface(InterfaceId id, InstanceId to, int deviceIndex) throws Ec2Failure;

  /** Sets whether an attached interface is deleted with its instance. */
  void modifyDeleteOnTermination(InterfaceId id, String attachmentId, boolean wanted)
      throws Ec2Failure;

  void modifySecurityGroups(InterfaceId id, List<String> groups) throws Ec2Failure;

  /** Adds {@code count} secondary addresses, chosen by EC2; returns only the added ones. */
  AssignedAddresses assignPrivateIpAddresses(InterfaceId id, int count) throws Ec2Failure;

  /** Adds {@code count} /28 prefixes, chosen by EC2; returns only the added ones. */
  AssignedAddresses assignPrefixes(InterfaceId id, int count) throws Ec2Failure;

  /** Adds exactly this prefix, a /28 of IPv4 or a /80 of IPv6, which is in the subnet. */
  void assignNamedPrefix(InterfaceId id, Cidr prefix) throws Ec2Failure;

  void unassignPrivateIpAddresses(InterfaceId id, AddressSet addresses) throws Ec2Failure;

  void unassignPrefixes(InterfaceId id, List<Cidr> prefixes) throws Ec2Failure;

  /** Adds {@code count} /80 prefixes; returns the added ones. */
  List<Cidr> assignIpv6Prefixes(InterfaceId id, int count) throws Ec2Failure;

  /** Begins to detach; the interface is {@code available} some time later. */
  void detachNetworkInterface(String attachmentId) throws Ec2Failure;

  void deleteNetworkInterface(InterfaceId id) throws Ec2Failure;

  /**
   * Associates an elastic address with an interface, unless it is associated already.
   *
   * @param primary the interface's private address that it belongs to
   */
  void associateAddress(String allocationId, InterfaceId id, IpAddress primary) throws Ec2Failure;

  void createTags(InterfaceId id, Map<String, String> tags) throws Ec2Failure;

  /** Lets another account attach an interface of ours (7.2). */
  void createNetworkInterfacePermission(InterfaceId id, String accountId) throws Ec2Failure;
}
