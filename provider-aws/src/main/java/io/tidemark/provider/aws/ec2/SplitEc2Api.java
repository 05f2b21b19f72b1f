package io.tidemark.provider.aws.ec2;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.Ec2Failure.Ending;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * EC2 of two accounts (provider-aws 7.2): one owns VPC, subnets and the interfaces, the other the
 * instances. A created interface is opened to the instances' account before anybody hears of it, or
 * it is deleted; so a creation is two requests here. Thread-safe.
 */
final class SplitEc2Api implements Ec2Api {
  private static final Logger LOG = LoggerFactory.getLogger(SplitEc2Api.class);

  /** EC2's codes for an interface of another account. */
  private static final Set<String> NOT_THE_OWNER =
      Set.of(
          "UnauthorizedOperation",
          "AuthFailure",
          "OperationNotPermitted",
          "InvalidNetworkInterfaceID.NotFound");

  private static final int REMEMBERED_MAX = 20_000;

  private final Set<InterfaceId> ofInstances = ConcurrentHashMap.newKeySet();
  private final Ec2Api network;
  private final Ec2Api instances;
  private final String instancesAccount;

  /**
   * Two accounts as one.
   *
   * @param network EC2 as the owner of the subnets
   * @param instances EC2 as the owner of the instances
   * @param instancesAccount the id of the latter
   */
  SplitEc2Api(Ec2Api network, Ec2Api instances, String instancesAccount) {
    this.network = network;
    this.instances = instances;
    this.instancesAccount = instancesAccount;
  }

  /**
   * Attached interfaces are requested of the instances' account, possibly free ones of the other
   * one.
   */
  @Override
  public AwsPage<AwsNetworkInterface> describeNetworkInterfaces(
      InterfaceQuery query, Optional<String> token) throws Ec2Failure {
    boolean attached =
        query instanceof InterfaceQuery.OfInstances || query instanceof InterfaceQuery.OfVpcs;
    return (attached ? instances : network).describeNetworkInterfaces(query, token);
  }

  /** The instances' account does not see what it may not attach. */
  @Override
  public boolean listsUnattached() {
    return false;
  }

  @Override
  public AwsPage<AwsSubnet> describeSubnets(SubnetFilter filter, Optional<String> token)
      throws Ec2Failure {
    return network.describeSubnets(filter, token);
  }

  @Override
  public AwsPage<Vpc> describeVpcs(Set<String> ids, Optional<String> token) throws Ec2Failure {
    return network.describeVpcs(ids, token);
  }

  @Override
  public AwsPage<RouteTable> describeRouteTables(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    return network.describeRouteTables(vpcIds, token);
  }

  @Override
  public AwsPage<SecurityGroup> securityGroupsForVpc(String vpcId, Optional<String> token)
      throws Ec2Failure {
    return network.securityGroupsForVpc(vpcId, token);
  }

  @Override
  public AwsPage<SecurityGroup> describeSecurityGroups(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    return network.describeSecurityGroups(vpcIds, token);
  }

  @Override
  public AwsPage<Instance> describeInstances(Set<InstanceId> ids, Optional<String> token)
      throws Ec2Failure {
    return instances.describeInstances(ids, token);
  }

  @Override
  public AwsPage<Instance> describeIdleInstances(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    return instances.describeIdleInstances(vpcIds, token);
  }

  @Override
  public AwsPage<Instance> describeTaggedInstances(Map<String, String> tags, Optional<String> token)
      throws Ec2Failure {
    return instances.describeTaggedInstances(tags, token);
  }

  @Override
  public AwsPage<InstanceType> describeInstanceTypes(Set<String> names, Optional<String> token)
      throws Ec2Failure {
    return instances.describeInstanceTypes(names, token);
  }

  @Override
  public Optional<String> describeTag(InstanceId instance, String key) throws Ec2Failure {
    return instances.describeTag(instance, key);
  }

  @Override
  public List<ElasticAddress> describeAddresses(Map<String, String> tags) throws Ec2Failure {
    return instances.describeAddresses(tags);
  }

  @Override
  public AwsNetworkInterface createNetworkInterface(CreateInterfaceRequest request)
      throws Ec2Failure {
    AwsNetworkInterface created = network.createNetworkInterface(request);
    try {
      network.createNetworkInterfacePermission(created.id(), instancesAccount);
    } catch (Ec2Failure refused) {
      delete(created.id());
      throw refused;
    }
    return created;
  }

  private void delete(InterfaceId id) {
    try {
      network.deleteNetworkInterface(id);
    } catch (Ec2Failure left) {
      LOG.warn(
          "Interface {}, which account {} may not attach, could not be deleted: {}",
          id,
          instancesAccount,
          left.text());
    }
  }

  @Override
  public String attachNetworkInterface(InterfaceId id, InstanceId to, int deviceIndex)
      throws Ec2Failure {
    return instances.attachNetworkInterface(id, to, deviceIndex);
  }

  /** Which of the two accounts may say it is not documented: the second is asked when refused. */
  @Override
  public void modifyDeleteOnTermination(InterfaceId id, String attachmentId, boolean wanted)
      throws Ec2Failure {
    try {
      instances.modifyDeleteOnTermination(id, attachmentId, wanted);
    } catch (Ec2Failure refused) {
      if (refused.ending() != Ending.REFUSED || refused.httpStatus() >= 500) {
        throw refused;
      }
      network.modifyDeleteOnTermination(id, attachmentId, wanted);
    }
  }

  @Override
  public AssignedAddresses assignPrivateIpAddresses(InterfaceId id, int count) throws Ec2Failure {
    return byOwner(id, ec2 -> ec2.assignPrivateIpAddresses(id, count));
  }

  @Override
  public AssignedAddresses assignPrefixes(InterfaceId id, int count) throws Ec2Failure {
    return byOwner(id, ec2 -> ec2.assignPrefixes(id, count));
  }

  @Override
  public void assignNamedPrefix(InterfaceId id, Cidr prefix) throws Ec2Failure {
    byOwner(
        id,
        ec2 -> {
          ec2.assignNamedPrefix(id, prefix);
          return id;
        });
  }

  @Override
  public void unassignPrivateIpAddresses(InterfaceId id, AddressSet addresses) throws Ec2Failure {
    byOwner(
        id,
        ec2 -> {
          ec2.unassignPrivateIpAddresses(id, addresses);
          return id;
        });
  }

  @Override
  public void unassignPrefixes(InterfaceId id, List<Cidr> prefixes) throws Ec2Failure {
    byOwner(
        id,
        ec2 -> {
          ec2.unassignPrefixes(id, prefixes);
          return id;
        });
  }

  @Override
  public List<Cidr> assignIpv6Prefixes(InterfaceId id, int count) throws Ec2Failure {
    return byOwner(id, ec2 -> ec2.assignIpv6Prefixes(id, count));
  }

  /** A request about addresses. */
  @FunctionalInterface
  private interface AddressRequest<T> {
    T send(Ec2Api ec2) throws Ec2Failure;
  }

  /**
   * An interface that we create belongs to the network's account, the one that an instance was
   * launched with to the other one; only the owner may change its addresses. A refusal has done
   * nothing, so the second account is asked then, and first from then on.
   */
  private <T> T byOwner(InterfaceId id, AddressRequest<T> request) throws Ec2Failure {
    if (ofInstances.contains(id)) {
      return request.send(instances);
    }
    try {
      return request.send(network);
    } catch (Ec2Failure refused) {
      if (!NOT_THE_OWNER.contains(refused.code())) {
        throw refused;
      }
      T answer = sendBySecond(request, refused);
      if (ofInstances.size() < REMEMBERED_MAX) {
        ofInstances.add(id);
      }
      return answer;
    }
  }

  /** When neither may, the first refusal is told: that account is the one that should. */
  private <T> T sendBySecond(AddressRequest<T> request, Ec2Failure refused) throws Ec2Failure {
    try {
      return request.send(instances);
    } catch (Ec2Failure second) {
      throw NOT_THE_OWNER.contains(second.code()) ? refused : second;
    }
  }

  @Override
  public void modifySecurityGroups(InterfaceId id, List<String> groups) throws Ec2Failure {
    network.modifySecurityGroups(id, groups);
  }

  @Override
  public void detachNetworkInterface(String attachmentId) throws Ec2Failure {
    instances.detachNetworkInterface(attachmentId);
  }

  @Override
  public void deleteNetworkInterface(InterfaceId id) throws Ec2Failure {
    network.deleteNetworkInterface(id);
  }

  @Override
  public void associateAddress(String allocationId, InterfaceId id, IpAddress primary)
      throws Ec2Failure {
    instances.associateAddress(allocationId, id, primary);
  }

  @Override
  public void createTags(InterfaceId id, Map<String, String> tags) throws Ec2Failure {
    network.createTags(id, tags);
  }

  @Override
  public void createNetworkInterfacePermission(InterfaceId id, String accountId) throws Ec2Failure {
    network.createNetworkInterfacePermission(id, accountId);
  }
}
