package io.tidemark.provider.aws.ec2;

import static io.tidemark.provider.aws.ec2.Answers.list;
import static io.tidemark.provider.aws.ec2.Answers.page;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.aws.ec2.Answers.Unreadable;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.AssignIpv6AddressesRequest;
import software.amazon.awssdk.services.ec2.model.AssignPrivateIpAddressesRequest;
import software.amazon.awssdk.services.ec2.model.AssignPrivateIpAddressesResponse;
import software.amazon.awssdk.services.ec2.model.AssignedPrivateIpAddress;
import software.amazon.awssdk.services.ec2.model.Ipv4PrefixSpecification;
import software.amazon.awssdk.services.ec2.model.Reservation;
import software.amazon.awssdk.services.ec2.model.TagDescription;

/**
 * EC2 by way of the AWS SDK, whose own retries are off. A restriction that nothing can meet, such
 * as an empty set of ids, is answered empty without a request: EC2 would take it for no restriction
 * at all. One file, because it is one list: a method per operation of the port, each a request and
 * how its answer is read.
 */
final class SdkEc2Api implements Ec2Api {
  private final Ec2Client client;
  private final SignedRequests signing;
  private final ReadRequests reads;

  /** Sends through {@code client}, which signs with {@code credentials}. */
  SdkEc2Api(Ec2Client client, RenewableCredentials credentials, PageSizes pages) {
    this.client = client;
    this.signing = new SignedRequests(credentials);
    this.reads = new ReadRequests(pages);
  }

  // ---- reads

  @Override
  public AwsPage<AwsNetworkInterface> describeNetworkInterfaces(
      InterfaceQuery query, Optional<String> token) throws Ec2Failure {
    if (isUnrestricted(query)) {
      return nothing();
    }
    var request = reads.interfaces(query, token);
    return send(
        () -> {
          var answer = client.describeNetworkInterfaces(request);
          return page(answer.networkInterfaces(), InterfaceAnswer::read, answer.nextToken());
        });
  }

  private static boolean isUnrestricted(InterfaceQuery query) {
    return (query instanceof InterfaceQuery.OfVpcs vpcs && vpcs.vpcIds().isEmpty())
        || (query instanceof InterfaceQuery.OfInstances of && of.ids().isEmpty())
        || (query instanceof InterfaceQuery.Tagged tagged && tagged.tags().isEmpty())
        || (query instanceof InterfaceQuery.Available free && free.tags().isEmpty());
  }

  @Override
  public AwsPage<AwsSubnet> describeSubnets(SubnetFilter filter, Optional<String> token)
      throws Ec2Failure {
    var request = reads.subnets(filter, token);
    return send(
        () -> {
          var answer = client.describeSubnets(request);
          return page(answer.subnets(), NetworkAnswers::subnet, answer.nextToken());
        });
  }

  @Override
  public AwsPage<Vpc> describeVpcs(Set<String> ids, Optional<String> token) throws Ec2Failure {
    if (ids.isEmpty()) {
      return nothing();
    }
    var request = reads.vpcs(ids, token);
    return send(
        () -> {
          var answer = client.describeVpcs(request);
          return page(answer.vpcs(), NetworkAnswers::vpc, answer.nextToken());
        });
  }

  @Override
  public AwsPage<RouteTable> describeRouteTables(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    if (vpcIds.isEmpty()) {
      return nothing();
    }
    var request = reads.routeTables(vpcIds, token);
    return send(
        () -> {
          var answer = client.describeRouteTables(request);
          return page(answer.routeTables(), NetworkAnswers::routeTable, answer.nextToken());
        });
  }

  @Override
  public AwsPage<SecurityGroup> securityGroupsForVpc(String vpcId, Optional<String> token)
      throws Ec2Failure {
    var request = reads.groupsForVpc(vpcId, token);
    return send(
        () -> {
          var answer = client.getSecurityGroupsForVpc(request);
          return page(
              answer.securityGroupForVpcs(),
              group -> NetworkAnswers.group(group, vpcId),
              answer.nextToken());
        });
  }

  @Override
  public AwsPage<SecurityGroup> describeSecurityGroups(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    if (vpcIds.isEmpty()) {
      return nothing();
    }
    var request = reads.groups(vpcIds, token);
    return send(
        () -> {
          var answer = client.describeSecurityGroups(request);
          return page(answer.securityGroups(), NetworkAnswers::group, answer.nextToken());
        });
  }

  @Override
  public AwsPage<Instance> describeInstances(Set<InstanceId> ids, Optional<String> token)
      throws Ec2Failure {
    return ids.isEmpty() ? nothing() : instances(reads.instances(ids, token));
  }

  @Override
  public AwsPage<Instance> describeIdleInstances(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    return vpcIds.isEmpty() ? nothing() : instances(reads.idle(vpcIds, token));
  }

  @Override
  public AwsPage<Instance> describeTaggedInstances(Map<String, String> tags, Optional<String> token)
      throws Ec2Failure {
    return tags.isEmpty() ? nothing() : instances(reads.tagged(tags, token));
  }

  private AwsPage<Instance> instances(
      software.amazon.awssdk.services.ec2.model.DescribeInstancesRequest request)
      throws Ec2Failure {
    return send(
        () -> {
          var answer = client.describeInstances(request);
          var all =
              list(answer.reservations()).stream()
                  .map(Reservation::instances)
                  .flatMap(each -> list(each).stream())
                  .toList();
          return page(all, InstanceAnswers::instance, answer.nextToken());
        });
  }

  @Override
  public AwsPage<InstanceType> describeInstanceTypes(Set<String> names, Optional<String> token)
      throws Ec2Failure {
    if (names.isEmpty()) {
      return nothing();
    }
    var request = reads.types(names, token);
    return send(
        () -> {
          var answer = client.describeInstanceTypes(request);
          return page(answer.instanceTypes(), InstanceAnswers::type, answer.nextToken());
        });
  }

  @Override
  public Optional<String> describeTag(InstanceId instance, String key) throws Ec2Failure {
    var request = reads.tag(instance, key);
    return send(
        () ->
            list(client.describeTags(request).tags()).stream()
                .map(TagDescription::value)
                .map(Answers::optional)
                .flatMap(Optional::stream)
                .findFirst());
  }

  @Override
  public List<ElasticAddress> describeAddresses(Map<String, String> tags) throws Ec2Failure {
    if (tags.isEmpty()) {
      return List.of();
    }
    var request = reads.addresses(tags);
    return send(
        () ->
            list(client.describeAddresses(request).addresses()).stream()
                .map(InstanceAnswers::address)
                .flatMap(Optional::stream)
                .toList());
  }

  // ---- changes

  @Override
  public AwsNetworkInterface createNetworkInterface(CreateInterfaceRequest request)
      throws Ec2Failure {
    var sent = ChangeRequests.create(request);
    try {
      return send(() -> created(client.createNetworkInterface(sent).networkInterface()));
    } catch (Ec2Failure failure) {
      throw request.prefixes() > 0 ? failure.ofPrefixes() : failure;
    }
  }

  private static AwsNetworkInterface created(
      software.amazon.awssdk.services.ec2.model.@Nullable NetworkInterface made) {
    return Optional.ofNullable(made)
        .flatMap(InterfaceAnswer::read)
        .orElseThrow(() -> new Unreadable("no interface in the answer"));
  }

  @Override
  public String attachNetworkInterface(InterfaceId id, InstanceId to, int deviceIndex)
      throws Ec2Failure {
    var request = ChangeRequests.attach(id, to, deviceIndex);
    return send(
        () ->
            Answers.requireText(
                client.attachNetworkInterface(request).attachmentId(), "attachment id"));
  }

  @Override
  public void modifyDeleteOnTermination(InterfaceId id, String attachmentId, boolean wanted)
      throws Ec2Failure {
    var request = ChangeRequests.deleteOnTermination(id, attachmentId, wanted);
    send(() -> client.modifyNetworkInterfaceAttribute(request));
  }

  @Override
  public void modifySecurityGroups(InterfaceId id, List<String> groups) throws Ec2Failure {
    var request = ChangeRequests.groups(id, groups);
    send(() -> client.modifyNetworkInterfaceAttribute(request));
  }

  @Override
  public AssignedAddresses assignPrivateIpAddresses(InterfaceId id, int count) throws Ec2Failure {
    return assign(ChangeRequests.singles(id, count));
  }

  @Override
  public AssignedAddresses assignPrefixes(InterfaceId id, int count) throws Ec2Failure {
    return assignPrefixes(ChangeRequests.prefixes(id, count));
  }

  private AssignedAddresses assignPrefixes(AssignPrivateIpAddressesRequest request)
      throws Ec2Failure {
    try {
      return assign(request);
    } catch (Ec2Failure failure) {
      throw failure.ofPrefixes();
    }
  }

  @Override
  public void assignNamedPrefix(InterfaceId id, Cidr prefix) throws Ec2Failure {
    List<Cidr> assigned =
        prefix.family() == IpFamily.IPV4
            ? assignPrefixes(ChangeRequests.prefix(id, prefix)).prefixes()
            : assignIpv6(ChangeRequests.ipv6Prefix(id, prefix));
    if (!assigned.contains(prefix)) {
      throw Ec2Failure.unanswered(
          Ec2Failure.Ending.ANSWER_LOST, "the response does not list " + prefix, null);
    }
  }

  private AssignedAddresses assign(AssignPrivateIpAddressesRequest request) throws Ec2Failure {
    return send(() -> assigned(client.assignPrivateIpAddresses(request)));
  }

  private static AssignedAddresses assigned(AssignPrivateIpAddressesResponse answer) {
    AddressSet.Builder singles = AddressSet.builder();
    for (AssignedPrivateIpAddress each : list(answer.assignedPrivateIpAddresses())) {
      singles.add(Answers.requireAddress(each.privateIpAddress()));
    }
    List<Cidr> prefixes =
        list(answer.assignedIpv4Prefixes()).stream()
            .map(Ipv4PrefixSpecification::ipv4Prefix)
            .map(Answers::requireCidr)
            .sorted()
            .toList();
    return new AssignedAddresses(singles.build(), prefixes);
  }

  @Override
  public void unassignPrivateIpAddresses(InterfaceId id, AddressSet addresses) throws Ec2Failure {
    var request = ChangeRequests.withoutSingles(id, addresses);
    send(() -> client.unassignPrivateIpAddresses(request));
  }

  @Override
  public void unassignPrefixes(InterfaceId id, List<Cidr> prefixes) throws Ec2Failure {
    var request = ChangeRequests.withoutPrefixes(id, prefixes);
    send(() -> client.unassignPrivateIpAddresses(request));
  }

  @Override
  public List<Cidr> assignIpv6Prefixes(InterfaceId id, int count) throws Ec2Failure {
    return assignIpv6(ChangeRequests.ipv6(id, count));
  }

  private List<Cidr> assignIpv6(AssignIpv6AddressesRequest request) throws Ec2Failure {
    try {
      return send(
          () ->
              list(client.assignIpv6Addresses(request).assignedIpv6Prefixes()).stream()
                  .map(Answers::requireCidr)
                  .sorted()
                  .toList());
    } catch (Ec2Failure failure) {
      throw failure.ofPrefixes();
    }
  }

  @Override
  public void detachNetworkInterface(String attachmentId) throws Ec2Failure {
    send(() -> client.detachNetworkInterface(r -> r.attachmentId(attachmentId)));
  }

  @Override
  public void deleteNetworkInterface(InterfaceId id) throws Ec2Failure {
    send(() -> client.deleteNetworkInterface(r -> r.networkInterfaceId(id.text())));
  }

  @Override
  public void associateAddress(String allocationId, InterfaceId id, IpAddress primary)
      throws Ec2Failure {
    var request = ChangeRequests.associate(allocationId, id, primary);
    send(() -> client.associateAddress(request));
  }

  @Override
  public void createTags(InterfaceId id, Map<String, String> tags) throws Ec2Failure {
    var request = ChangeRequests.tag(id, tags);
    send(() -> client.createTags(request));
  }

  @Override
  public void createNetworkInterfacePermission(InterfaceId id, String accountId) throws Ec2Failure {
    var request = ChangeRequests.permission(id, accountId);
    send(() -> client.createNetworkInterfacePermission(request));
  }

  private static <T> AwsPage<T> nothing() {
    return new AwsPage<>(List.of(), Optional.empty());
  }

  private <T> T send(Supplier<T> request) throws Ec2Failure {
    return signing.send(request);
  }
}
