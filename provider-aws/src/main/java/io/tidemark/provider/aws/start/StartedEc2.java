package io.tidemark.provider.aws.start;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.AssignedAddresses;
import io.tidemark.provider.aws.ec2.CreateInterfaceRequest;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.ElasticAddress;
import io.tidemark.provider.aws.ec2.Instance;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.provider.aws.ec2.NetworkInterface;
import io.tidemark.provider.aws.ec2.Page;
import io.tidemark.provider.aws.ec2.RouteTable;
import io.tidemark.provider.aws.ec2.SecurityGroup;
import io.tidemark.provider.aws.ec2.Subnet;
import io.tidemark.provider.aws.ec2.SubnetFilter;
import io.tidemark.provider.aws.ec2.Vpc;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * EC2 as the start found it; for leaves of {@link StartedCalls}, which are sent after it.
 *
 * <p>Every method throws {@link IllegalStateException} when it is called before.
 */
public final class StartedEc2 implements Ec2Api {
  private final Start start;

  public StartedEc2(Start start) {
    this.start = start;
  }

  @Override
  public boolean listsUnattached() {
    return start.ec2().listsUnattached();
  }

  @Override
  public Page<NetworkInterface> describeNetworkInterfaces(
      InterfaceQuery query, Optional<String> token) throws Ec2Failure {
    return start.ec2().describeNetworkInterfaces(query, token);
  }

  @Override
  public Page<Subnet> describeSubnets(SubnetFilter filter, Optional<String> token)
      throws Ec2Failure {
    return start.ec2().describeSubnets(filter, token);
  }

  @Override
  public Page<Vpc> describeVpcs(Set<String> ids, Optional<String> token) throws Ec2Failure {
    return start.ec2().describeVpcs(ids, token);
  }

  @Override
  public Page<RouteTable> describeRouteTables(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    return start.ec2().describeRouteTables(vpcIds, token);
  }

  @Override
  public Page<SecurityGroup> securityGroupsForVpc(String vpcId, Optional<String> token)
      throws Ec2Failure {
    return start.ec2().securityGroupsForVpc(vpcId, token);
  }

  @Override
  public Page<SecurityGroup> describeSecurityGroups(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    return start.ec2().describeSecurityGroups(vpcIds, token);
  }

  @Override
  public Page<Instance> describeInstances(Set<InstanceId> ids, Optional<String> token)
      throws Ec2Failure {
    return start.ec2().describeInstances(ids, token);
  }

  @Override
  public Page<Instance> describeIdleInstances(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    return start.ec2().describeIdleInstances(vpcIds, token);
  }

  @Override
  public Page<Instance> describeTaggedInstances(Map<String, String> tags, Optional<String> token)
      throws Ec2Failure {
    return start.ec2().describeTaggedInstances(tags, token);
  }

  @Override
  public Page<InstanceType> describeInstanceTypes(Set<String> names, Optional<String> token)
      throws Ec2Failure {
    return start.ec2().describeInstanceTypes(names, token);
  }

  @Override
  public Optional<String> describeTag(InstanceId instance, String key) throws Ec2Failure {
    return start.ec2().describeTag(instance, key);
  }

  @Override
  public List<ElasticAddress> describeAddresses(Map<String, String> tags) throws Ec2Failure {
    return start.ec2().describeAddresses(tags);
  }

  @Override
  public NetworkInterface createNetworkInterface(CreateInterfaceRequest request) throws Ec2Failure {
    return start.ec2().createNetworkInterface(request);
  }

  @Override
  public String attachNetworkInterface(InterfaceId id, InstanceId to, int deviceIndex)
      throws Ec2Failure {
    return start.ec2().attachNetworkInterface(id, to, deviceIndex);
  }

  @Override
  public void modifyDeleteOnTermination(InterfaceId id, String attachmentId, boolean wanted)
      throws Ec2Failure {
    start.ec2().modifyDeleteOnTermination(id, attachmentId, wanted);
  }

  @Override
  public AssignedAddresses assignPrivateIpAddresses(InterfaceId id, int count) throws Ec2Failure {
    return start.ec2().assignPrivateIpAddresses(id, count);
  }

  @Override
  public AssignedAddresses assignPrefixes(InterfaceId id, int count) throws Ec2Failure {
    return start.ec2().assignPrefixes(id, count);
  }

  @Override
  public void unassignPrivateIpAddresses(InterfaceId id, AddressSet addresses) throws Ec2Failure {
    start.ec2().unassignPrivateIpAddresses(id, addresses);
  }

  @Override
  public void unassignPrefixes(InterfaceId id, List<Cidr> prefixes) throws Ec2Failure {
    start.ec2().unassignPrefixes(id, prefixes);
  }

  @Override
  public List<Cidr> assignIpv6Prefixes(InterfaceId id, int count) throws Ec2Failure {
    return start.ec2().assignIpv6Prefixes(id, count);
  }

  @Override
  public void unassignIpv6Prefixes(InterfaceId id, List<Cidr> prefixes) throws Ec2Failure {
    start.ec2().unassignIpv6Prefixes(id, prefixes);
  }

  @Override
  public void modifySecurityGroups(InterfaceId id, List<String> groups) throws Ec2Failure {
    start.ec2().modifySecurityGroups(id, groups);
  }

  @Override
  public void detachNetworkInterface(String attachmentId) throws Ec2Failure {
    start.ec2().detachNetworkInterface(attachmentId);
  }

  @Override
  public void deleteNetworkInterface(InterfaceId id) throws Ec2Failure {
    start.ec2().deleteNetworkInterface(id);
  }

  @Override
  public void associateAddress(String allocationId, InterfaceId id, IpAddress primary)
      throws Ec2Failure {
    start.ec2().associateAddress(allocationId, id, primary);
  }

  @Override
  public void createTags(InterfaceId id, Map<String, String> tags) throws Ec2Failure {
    start.ec2().createTags(id, tags);
  }

  @Override
  public void createNetworkInterfacePermission(InterfaceId id, String accountId) throws Ec2Failure {
    start.ec2().createNetworkInterfacePermission(id, accountId);
  }
}
