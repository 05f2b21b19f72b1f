package io.tidemark.provider.aws.ec2;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The operations of EC2 that the provider uses (provider-aws 1.1). Each method is exactly one
 * request: it blocks until the response, and does not wait, retry or page. It is called only as a
 * leaf of {@code CloudCalls}.
 *
 * <p>Every method throws {@link Ec2Failure} if EC2 refused, if nothing could be sent, or if the
 * response was lost; the failure says which. Thread-safe. Nulls: none in, none out.
 */
public interface Ec2Api {
  /** One request. */
  @FunctionalInterface
  interface Request<T> {
    T send(Ec2Api ec2) throws Ec2Failure;
  }

  /** A request without an answer of interest. */
  @FunctionalInterface
  interface Command {
    void send(Ec2Api ec2) throws Ec2Failure;
  }

  // ---- reads; of listings the first page has no token

  AwsPage<AwsNetworkInterface> describeNetworkInterfaces(Ec2Filter filter, Optional<String> token)
      throws Ec2Failure;

  AwsPage<AwsSubnet> describeSubnets(Ec2Filter filter, Optional<String> token) throws Ec2Failure;

  AwsPage<Vpc> describeVpcs(Ec2Filter filter, Optional<String> token) throws Ec2Failure;

  AwsPage<RouteTable> describeRouteTables(Ec2Filter filter, Optional<String> token)
      throws Ec2Failure;

  /** Groups that interfaces of the VPC may use, those shared with us too, without their rules. */
  AwsPage<SecurityGroup> securityGroupsForVpc(String vpcId, Optional<String> token)
      throws Ec2Failure;

  /** Groups by the operation that older permissions allow. */
  AwsPage<SecurityGroup> describeSecurityGroups(Ec2Filter filter, Optional<String> token)
      throws Ec2Failure;

  AwsPage<Instance> describeInstances(Ec2Filter filter, Optional<String> token) throws Ec2Failure;

  AwsPage<InstanceType> describeInstanceTypes(Ec2Filter filter, Optional<String> token)
      throws Ec2Failure;

  Optional<String> describeTag(InstanceId instance, String key) throws Ec2Failure;

  List<ElasticAddress> describeAddresses(Ec2Filter filter) throws Ec2Failure;

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
  AttachedInterface assignPrivateIpAddresses(InterfaceId id, int count) throws Ec2Failure;

  /** Adds {@code count} /28 prefixes, chosen by EC2; returns only the added ones. */
  AttachedInterface assignPrefixes(InterfaceId id, int count) throws Ec2Failure;

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
