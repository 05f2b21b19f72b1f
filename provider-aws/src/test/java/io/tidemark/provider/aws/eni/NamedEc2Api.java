package io.tidemark.provider.aws.eni;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.aws.ec2.AssignedAddresses;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface.Attachment;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.CreateInterfaceRequest;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.ElasticAddress;
import io.tidemark.provider.aws.ec2.Instance;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.provider.aws.ec2.RouteTable;
import io.tidemark.provider.aws.ec2.SecurityGroup;
import io.tidemark.provider.aws.ec2.SubnetFilter;
import io.tidemark.provider.aws.ec2.Vpc;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * EC2 with names of the test's choice for what a test launches: ids and zones are put in EC2's
 * place both ways. A name that was given to nothing is asked for as it is.
 */
class NamedEc2Api implements Ec2Api {
  private final Ec2Api ec2;
  private final Map<String, String> realByName = new ConcurrentHashMap<>();
  private final Map<String, String> nameByReal = new ConcurrentHashMap<>();
  private final Map<String, Long> changes = new ConcurrentHashMap<>();

  NamedEc2Api(Ec2Api ec2) {
    this.ec2 = ec2;
  }

  /** From now on the thing has this name. */
  void name(String name, String real) {
    realByName.put(name, real);
    nameByReal.put(real, name);
  }

  /** A public address that EC2 chose gets the test's. */
  void publicName(IpAddress name, IpAddress real) {
    name(name.toString(), real.toString());
  }

  /** Requests so far that changed something, or tried to, by operation. */
  Map<String, Long> changes() {
    return new TreeMap<>(changes);
  }

  private void changing(Ec2Operation operation) {
    changes.merge(operation.action(), 1L, Long::sum);
  }

  String real(String name) {
    return realByName.getOrDefault(name, name);
  }

  String named(String real) {
    return nameByReal.getOrDefault(real, real);
  }

  private InstanceId real(InstanceId id) {
    return new InstanceId(real(id.text()));
  }

  private <T> Set<T> each(Set<T> names, Function<T, T> how) {
    return names.stream().map(how).collect(Collectors.toSet());
  }

  private static <T> AwsPage<T> page(AwsPage<T> page, Function<T, T> how) {
    return new AwsPage<>(page.items().stream().map(how).toList(), page.next());
  }

  @Override
  public AwsPage<AwsNetworkInterface> describeNetworkInterfaces(
      InterfaceQuery query, Optional<String> token) throws Ec2Failure {
    return page(ec2.describeNetworkInterfaces(real(query), token), this::named);
  }

  private InterfaceQuery real(InterfaceQuery query) {
    if (query instanceof InterfaceQuery.OfVpcs vpcs) {
      return new InterfaceQuery.OfVpcs(each(vpcs.vpcIds(), this::real));
    }
    if (query instanceof InterfaceQuery.OfInstances of) {
      return new InterfaceQuery.OfInstances(each(of.ids(), this::real));
    }
    return query;
  }

  AwsNetworkInterface named(AwsNetworkInterface each) {
    return new AwsNetworkInterface(
        each.id(),
        each.type(),
        each.status(),
        named(each.subnet()),
        named(each.vpcId()),
        named(each.availabilityZone()),
        each.mac(),
        each.description(),
        each.primary(),
        each.singles(),
        each.prefixes(),
        each.ipv6(),
        each.primaryIpv6(),
        each.ipv6Prefixes(),
        each.securityGroups().stream().map(this::named).sorted().toList(),
        each.tags(),
        each.attachment().map(this::named),
        each.publicAddress().map(address -> IpAddress.parse(named(address.toString()))),
        each.tracking(),
        each.unreadable());
  }

  private PoolId named(PoolId id) {
    return new PoolId(named(id.text()));
  }

  private InstanceId named(InstanceId id) {
    return new InstanceId(named(id.text()));
  }

  private Attachment named(Attachment each) {
    return new Attachment(
        each.id(),
        each.instance().map(this::named),
        each.cardIndex(),
        each.deviceIndex(),
        each.deleteOnTermination(),
        each.status());
  }

  @Override
  public AwsPage<AwsSubnet> describeSubnets(SubnetFilter filter, Optional<String> token)
      throws Ec2Failure {
    SubnetFilter real =
        new SubnetFilter(
            each(filter.vpcIds(), this::real), each(filter.ids(), this::real), filter.tags());
    return page(
        ec2.describeSubnets(real, token),
        subnet ->
            new AwsSubnet(
                named(subnet.id()),
                named(subnet.vpcId()),
                subnet.cidr(),
                subnet.ipv6(),
                subnet.usable(),
                named(subnet.availabilityZone()),
                subnet.availabilityZoneId(),
                subnet.outpostArn(),
                subnet.availableAddresses(),
                subnet.tags()));
  }

  @Override
  public AwsPage<Vpc> describeVpcs(Set<String> ids, Optional<String> token) throws Ec2Failure {
    return page(
        ec2.describeVpcs(each(ids, this::real), token),
        vpc -> new Vpc(named(vpc.id()), vpc.primaryCidr(), vpc.cidrs()));
  }

  @Override
  public AwsPage<RouteTable> describeRouteTables(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    return page(
        ec2.describeRouteTables(each(vpcIds, this::real), token),
        table ->
            new RouteTable(
                table.id(),
                named(table.vpcId()),
                table.main(),
                each(table.subnets(), this::named)));
  }

  @Override
  public AwsPage<SecurityGroup> securityGroupsForVpc(String vpcId, Optional<String> token)
      throws Ec2Failure {
    return page(ec2.securityGroupsForVpc(real(vpcId), token), this::named);
  }

  @Override
  public AwsPage<SecurityGroup> describeSecurityGroups(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    return page(ec2.describeSecurityGroups(each(vpcIds, this::real), token), this::named);
  }

  private SecurityGroup named(SecurityGroup group) {
    return new SecurityGroup(named(group.id()), named(group.vpcId()), group.tags());
  }

  @Override
  public AwsPage<Instance> describeInstances(Set<InstanceId> ids, Optional<String> token)
      throws Ec2Failure {
    return page(ec2.describeInstances(each(ids, this::real), token), this::named);
  }

  @Override
  public AwsPage<Instance> describeIdleInstances(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    return page(
        ec2.describeIdleInstances(
            vpcIds.stream().map(this::real).collect(Collectors.toSet()), token),
        this::named);
  }

  @Override
  public AwsPage<Instance> describeTaggedInstances(Map<String, String> tags, Optional<String> token)
      throws Ec2Failure {
    return page(ec2.describeTaggedInstances(tags, token), this::named);
  }

  private Instance named(Instance each) {
    return new Instance(
        named(each.id()),
        each.state(),
        each.type(),
        named(each.vpcId()),
        named(each.availabilityZone()),
        each.interfaces(),
        each.tags());
  }

  @Override
  public AwsPage<InstanceType> describeInstanceTypes(Set<String> names, Optional<String> token)
      throws Ec2Failure {
    return ec2.describeInstanceTypes(names, token);
  }

  @Override
  public Optional<String> describeTag(InstanceId instance, String key) throws Ec2Failure {
    return ec2.describeTag(real(instance), key);
  }

  @Override
  public List<ElasticAddress> describeAddresses(Map<String, String> tags) throws Ec2Failure {
    return ec2.describeAddresses(tags).stream()
        .map(
            each ->
                new ElasticAddress(
                    each.allocationId(),
                    IpAddress.parse(named(each.address().toString())),
                    each.associated()))
        .toList();
  }

  @Override
  public AwsNetworkInterface createNetworkInterface(CreateInterfaceRequest request)
      throws Ec2Failure {
    changing(Ec2Operation.CREATE_NETWORK_INTERFACE);
    return named(
        ec2.createNetworkInterface(
            new CreateInterfaceRequest(
                new PoolId(real(request.subnet().text())),
                request.description(),
                request.securityGroups().stream().map(this::real).toList(),
                request.tags(),
                request.singles(),
                request.prefixes(),
                request.ipv6Prefixes(),
                request.tracking(),
                request.token())));
  }

  @Override
  public String attachNetworkInterface(InterfaceId id, InstanceId to, int deviceIndex)
      throws Ec2Failure {
    changing(Ec2Operation.ATTACH_NETWORK_INTERFACE);
    return ec2.attachNetworkInterface(id, real(to), deviceIndex);
  }

  @Override
  public void modifyDeleteOnTermination(InterfaceId id, String attachmentId, boolean wanted)
      throws Ec2Failure {
    changing(Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE);
    ec2.modifyDeleteOnTermination(id, attachmentId, wanted);
  }

  @Override
  public AssignedAddresses assignPrivateIpAddresses(InterfaceId id, int count) throws Ec2Failure {
    changing(Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES);
    return ec2.assignPrivateIpAddresses(id, count);
  }

  @Override
  public AssignedAddresses assignPrefixes(InterfaceId id, int count) throws Ec2Failure {
    changing(Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES);
    return ec2.assignPrefixes(id, count);
  }

  @Override
  public void assignNamedPrefix(InterfaceId id, Cidr prefix) throws Ec2Failure {
    changing(
        prefix.family() == IpFamily.IPV4
            ? Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES
            : Ec2Operation.ASSIGN_IPV6_ADDRESSES);
    ec2.assignNamedPrefix(id, prefix);
  }

  @Override
  public void unassignPrivateIpAddresses(InterfaceId id, AddressSet addresses) throws Ec2Failure {
    changing(Ec2Operation.UNASSIGN_PRIVATE_IP_ADDRESSES);
    ec2.unassignPrivateIpAddresses(id, addresses);
  }

  @Override
  public void unassignPrefixes(InterfaceId id, List<Cidr> prefixes) throws Ec2Failure {
    changing(Ec2Operation.UNASSIGN_PRIVATE_IP_ADDRESSES);
    ec2.unassignPrefixes(id, prefixes);
  }

  @Override
  public List<Cidr> assignIpv6Prefixes(InterfaceId id, int count) throws Ec2Failure {
    changing(Ec2Operation.ASSIGN_IPV6_ADDRESSES);
    return ec2.assignIpv6Prefixes(id, count);
  }

  @Override
  public void modifySecurityGroups(InterfaceId id, List<String> groups) throws Ec2Failure {
    changing(Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE);
    ec2.modifySecurityGroups(id, groups);
  }

  @Override
  public void detachNetworkInterface(String attachmentId) throws Ec2Failure {
    changing(Ec2Operation.DETACH_NETWORK_INTERFACE);
    ec2.detachNetworkInterface(attachmentId);
  }

  @Override
  public void deleteNetworkInterface(InterfaceId id) throws Ec2Failure {
    changing(Ec2Operation.DELETE_NETWORK_INTERFACE);
    ec2.deleteNetworkInterface(id);
  }

  @Override
  public void associateAddress(String allocationId, InterfaceId id, IpAddress primary)
      throws Ec2Failure {
    changing(Ec2Operation.ASSOCIATE_ADDRESS);
    ec2.associateAddress(allocationId, id, primary);
  }

  @Override
  public void createTags(InterfaceId id, Map<String, String> tags) throws Ec2Failure {
    ec2.createTags(id, tags);
  }

  @Override
  public void createNetworkInterfacePermission(InterfaceId id, String accountId) throws Ec2Failure {
    ec2.createNetworkInterfacePermission(id, accountId);
  }
}
