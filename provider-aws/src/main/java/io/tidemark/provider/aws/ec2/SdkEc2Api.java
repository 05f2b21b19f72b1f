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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.AssignIpv6AddressesRequest;
import software.amazon.awssdk.services.ec2.model.AssignPrivateIpAddressesRequest;
import software.amazon.awssdk.services.ec2.model.AssignPrivateIpAddressesResponse;
import software.amazon.awssdk.services.ec2.model.AssignedPrivateIpAddress;
import software.amazon.awssdk.services.ec2.model.CreateNetworkInterfaceRequest;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.InterfacePermissionType;
import software.amazon.awssdk.services.ec2.model.Ipv4PrefixSpecification;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;
import software.amazon.awssdk.services.ec2.model.Reservation;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.Tag;
import software.amazon.awssdk.services.ec2.model.TagDescription;
import software.amazon.awssdk.services.ec2.model.TagSpecification;

/**
 * EC2 by way of the AWS SDK, whose own retries are off. Listings are restricted by filter, never by
 * the ids parameter, which excludes paging and fails as a whole when one id has gone. A restriction
 * that nothing can meet, such as an empty set of ids, is answered empty without a request: EC2
 * would take it for no restriction at all. One file, because it is one list: a method per operation
 * of the port (provider-aws 1.1), each a request and how its answer is read.
 */
final class SdkEc2Api implements Ec2Api {
  private static final List<String> IDLE =
      List.of("pending", "shutting-down", "stopped", "stopping");

  private static final Set<String> EXPIRED =
      Set.of("RequestExpired", "ExpiredToken", "ExpiredTokenException");

  /** Left out, EC2 checks the wrong limits on types with several cards. */
  private static final int CARD = 0;

  private final Ec2Client client;
  private final RenewableCredentials credentials;
  private final PageSizes pages;

  /** Sends through {@code client}, which signs with {@code credentials}. */
  SdkEc2Api(Ec2Client client, RenewableCredentials credentials, PageSizes pages) {
    this.client = client;
    this.credentials = credentials;
    this.pages = pages;
  }

  // ---- reads

  @Override
  public AwsPage<AwsNetworkInterface> describeNetworkInterfaces(
      InterfaceQuery query, Optional<String> token) throws Ec2Failure {
    List<Filter> filters = filters(query).toList();
    if (filters.isEmpty() && !(query instanceof InterfaceQuery.Everywhere)) {
      return nothing();
    }
    return send(
        () -> {
          var answer =
              client.describeNetworkInterfaces(
                  r -> r.filters(filters).maxResults(pages.large()).nextToken(orNull(token)));
          return page(answer.networkInterfaces(), InterfaceAnswer::read, answer.nextToken());
        });
  }

  /** None where the query is for everything, or for nothing. */
  private static Filters filters(InterfaceQuery query) {
    Filters filters = new Filters();
    if (query instanceof InterfaceQuery.OfVpcs vpcs) {
      filters.anyOf("vpc-id", vpcs.vpcIds());
    } else if (query instanceof InterfaceQuery.OfInstances instances) {
      filters.anyOf("attachment.instance-id", texts(instances.ids()));
    } else if (query instanceof InterfaceQuery.One one) {
      filters.is("network-interface-id", one.id().text());
    } else if (query instanceof InterfaceQuery.Tagged tagged) {
      filters.tags(tagged.tags());
    } else if (query instanceof InterfaceQuery.Available free && !free.tags().isEmpty()) {
      filters.tags(free.tags()).is("status", "available");
    }
    return filters;
  }

  @Override
  public AwsPage<AwsSubnet> describeSubnets(SubnetFilter filter, Optional<String> token)
      throws Ec2Failure {
    List<Filter> filters = filters(filter).toList();
    return send(
        () -> {
          var answer =
              client.describeSubnets(
                  r -> r.filters(filters).maxResults(pages.medium()).nextToken(orNull(token)));
          return page(answer.subnets(), NetworkAnswers::subnet, answer.nextToken());
        });
  }

  static Filters filters(SubnetFilter filter) {
    return new Filters()
        .anyOf("vpc-id", filter.vpcIds())
        .anyOf("subnet-id", filter.ids())
        .tags(filter.tags());
  }

  @Override
  public AwsPage<Vpc> describeVpcs(Set<String> ids, Optional<String> token) throws Ec2Failure {
    List<Filter> filters = new Filters().anyOf("vpc-id", ids).toList();
    return ids.isEmpty()
        ? nothing()
        : send(
            () -> {
              var answer =
                  client.describeVpcs(
                      r -> r.filters(filters).maxResults(pages.medium()).nextToken(orNull(token)));
              return page(answer.vpcs(), NetworkAnswers::vpc, answer.nextToken());
            });
  }

  @Override
  public AwsPage<RouteTable> describeRouteTables(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    List<Filter> filters = new Filters().anyOf("vpc-id", vpcIds).toList();
    return vpcIds.isEmpty()
        ? nothing()
        : send(
            () -> {
              var answer =
                  client.describeRouteTables(
                      r -> r.filters(filters).maxResults(pages.small()).nextToken(orNull(token)));
              return page(answer.routeTables(), NetworkAnswers::routeTable, answer.nextToken());
            });
  }

  @Override
  public AwsPage<SecurityGroup> securityGroupsForVpc(String vpcId, Optional<String> token)
      throws Ec2Failure {
    return send(
        () -> {
          var answer =
              client.getSecurityGroupsForVpc(
                  r -> r.vpcId(vpcId).maxResults(pages.medium()).nextToken(orNull(token)));
          return page(
              answer.securityGroupForVpcs(),
              group -> NetworkAnswers.group(group, vpcId),
              answer.nextToken());
        });
  }

  @Override
  public AwsPage<SecurityGroup> describeSecurityGroups(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    List<Filter> filters = new Filters().anyOf("vpc-id", vpcIds).toList();
    return vpcIds.isEmpty()
        ? nothing()
        : send(
            () -> {
              var answer =
                  client.describeSecurityGroups(
                      r -> r.filters(filters).maxResults(pages.medium()).nextToken(orNull(token)));
              return page(answer.securityGroups(), NetworkAnswers::group, answer.nextToken());
            });
  }

  @Override
  public AwsPage<Instance> describeInstances(Set<InstanceId> ids, Optional<String> token)
      throws Ec2Failure {
    return instances(new Filters().anyOf("instance-id", texts(ids)), token);
  }

  @Override
  public AwsPage<Instance> describeIdleInstances(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    return vpcIds.isEmpty()
        ? nothing()
        : instances(
            new Filters().anyOf("vpc-id", vpcIds).anyOf("instance-state-name", IDLE), token);
  }

  @Override
  public AwsPage<Instance> describeTaggedInstances(Map<String, String> tags, Optional<String> token)
      throws Ec2Failure {
    return instances(new Filters().tags(tags), token);
  }

  private AwsPage<Instance> instances(Filters restriction, Optional<String> token)
      throws Ec2Failure {
    List<Filter> filters = restriction.toList();
    if (filters.isEmpty()) {
      return nothing();
    }
    return send(
        () -> {
          var answer =
              client.describeInstances(
                  r -> r.filters(filters).maxResults(pages.large()).nextToken(orNull(token)));
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
    List<Filter> filters = new Filters().anyOf("instance-type", names).toList();
    return names.isEmpty()
        ? nothing()
        : send(
            () -> {
              var answer =
                  client.describeInstanceTypes(
                      r -> r.filters(filters).maxResults(pages.small()).nextToken(orNull(token)));
              return page(answer.instanceTypes(), InstanceAnswers::type, answer.nextToken());
            });
  }

  @Override
  public Optional<String> describeTag(InstanceId instance, String key) throws Ec2Failure {
    List<Filter> filters =
        new Filters()
            .is("resource-type", "instance")
            .is("resource-id", instance.text())
            .is("key", key)
            .toList();
    return send(
        () ->
            list(client.describeTags(r -> r.filters(filters).maxResults(pages.large())).tags())
                .stream()
                .map(TagDescription::value)
                .map(Answers::optional)
                .flatMap(Optional::stream)
                .findFirst());
  }

  /** Has no pages. */
  @Override
  public List<ElasticAddress> describeAddresses(Map<String, String> tags) throws Ec2Failure {
    List<Filter> filters = new Filters().tags(tags).toList();
    return tags.isEmpty()
        ? List.of()
        : send(
            () ->
                list(client.describeAddresses(r -> r.filters(filters)).addresses()).stream()
                    .map(InstanceAnswers::address)
                    .flatMap(Optional::stream)
                    .toList());
  }

  // ---- changes

  @Override
  public AwsNetworkInterface createNetworkInterface(CreateInterfaceRequest request)
      throws Ec2Failure {
    try {
      return send(
          () ->
              created(client.createNetworkInterface(r -> describe(r, request)).networkInterface()));
    } catch (Ec2Failure failure) {
      throw request.prefixes() > 0 ? failure.ofPrefixes() : failure;
    }
  }

  private static void describe(
      CreateNetworkInterfaceRequest.Builder sent, CreateInterfaceRequest request) {
    sent.subnetId(request.subnet().text())
        .description(request.description())
        .clientToken(request.token());
    if (!request.securityGroups().isEmpty()) {
      sent.groups(request.securityGroups());
    }
    if (!request.tags().isEmpty()) {
      sent.tagSpecifications(
          TagSpecification.builder()
              .resourceType(ResourceType.NETWORK_INTERFACE)
              .tags(tags(request.tags()))
              .build());
    }
    if (request.singles() > 0) {
      sent.secondaryPrivateIpAddressCount(request.singles());
    }
    if (request.prefixes() > 0) {
      sent.ipv4PrefixCount(request.prefixes());
    }
    if (request.ipv6Prefixes() > 0) {
      sent.ipv6PrefixCount(request.ipv6Prefixes());
    }
    ConnectionTracking wanted = request.tracking();
    if (!wanted.equals(ConnectionTracking.DEFAULT)) {
      sent.connectionTrackingSpecification(
          t -> {
            wanted.tcpEstablishedSeconds().ifPresent(t::tcpEstablishedTimeout);
            wanted.udpStreamSeconds().ifPresent(t::udpStreamTimeout);
            wanted.udpSeconds().ifPresent(t::udpTimeout);
          });
    }
  }

  private static AwsNetworkInterface created(@Nullable NetworkInterface made) {
    return Optional.ofNullable(made)
        .flatMap(InterfaceAnswer::read)
        .orElseThrow(() -> new Unreadable("no interface in the answer"));
  }

  @Override
  public String attachNetworkInterface(InterfaceId id, InstanceId to, int deviceIndex)
      throws Ec2Failure {
    return send(
        () ->
            Answers.requireText(
                client
                    .attachNetworkInterface(
                        r ->
                            r.networkInterfaceId(id.text())
                                .instanceId(to.text())
                                .deviceIndex(deviceIndex)
                                .networkCardIndex(CARD))
                    .attachmentId(),
                "attachment id"));
  }

  @Override
  public void modifyDeleteOnTermination(InterfaceId id, String attachmentId, boolean wanted)
      throws Ec2Failure {
    send(
        () ->
            client.modifyNetworkInterfaceAttribute(
                r ->
                    r.networkInterfaceId(id.text())
                        .attachment(
                            a -> a.attachmentId(attachmentId).deleteOnTermination(wanted))));
  }

  @Override
  public void modifySecurityGroups(InterfaceId id, List<String> groups) throws Ec2Failure {
    send(
        () ->
            client.modifyNetworkInterfaceAttribute(
                r -> r.networkInterfaceId(id.text()).groups(groups)));
  }

  @Override
  public AssignedAddresses assignPrivateIpAddresses(InterfaceId id, int count) throws Ec2Failure {
    return assign(id, r -> r.secondaryPrivateIpAddressCount(count));
  }

  @Override
  public AssignedAddresses assignPrefixes(InterfaceId id, int count) throws Ec2Failure {
    return assignPrefixes(id, r -> r.ipv4PrefixCount(count));
  }

  private AssignedAddresses assignPrefixes(
      InterfaceId id, Consumer<AssignPrivateIpAddressesRequest.Builder> which) throws Ec2Failure {
    try {
      return assign(id, which);
    } catch (Ec2Failure failure) {
      throw failure.ofPrefixes();
    }
  }

  @Override
  public void assignNamedPrefix(InterfaceId id, Cidr prefix) throws Ec2Failure {
    List<Cidr> assigned =
        prefix.family() == IpFamily.IPV4
            ? assignPrefixes(id, r -> r.ipv4Prefixes(prefix.toString())).prefixes()
            : assignIpv6(id, r -> r.ipv6Prefixes(prefix.toString()));
    if (!assigned.contains(prefix)) {
      throw Ec2Failure.unanswered(
          Ec2Failure.Ending.ANSWER_LOST, "the response does not list " + prefix, null);
    }
  }

  private AssignedAddresses assign(
      InterfaceId id, Consumer<AssignPrivateIpAddressesRequest.Builder> which) throws Ec2Failure {
    return send(
        () ->
            assigned(
                client.assignPrivateIpAddresses(
                    r -> which.accept(r.networkInterfaceId(id.text())))));
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
    List<String> texts = addresses.toList().stream().map(IpAddress::toString).toList();
    send(
        () ->
            client.unassignPrivateIpAddresses(
                r -> r.networkInterfaceId(id.text()).privateIpAddresses(texts)));
  }

  @Override
  public void unassignPrefixes(InterfaceId id, List<Cidr> prefixes) throws Ec2Failure {
    List<String> texts = prefixes.stream().map(Cidr::toString).toList();
    send(
        () ->
            client.unassignPrivateIpAddresses(
                r -> r.networkInterfaceId(id.text()).ipv4Prefixes(texts)));
  }

  @Override
  public List<Cidr> assignIpv6Prefixes(InterfaceId id, int count) throws Ec2Failure {
    return assignIpv6(id, r -> r.ipv6PrefixCount(count));
  }

  private List<Cidr> assignIpv6(InterfaceId id, Consumer<AssignIpv6AddressesRequest.Builder> which)
      throws Ec2Failure {
    try {
      return send(
          () ->
              list(
                      client
                          .assignIpv6Addresses(r -> which.accept(r.networkInterfaceId(id.text())))
                          .assignedIpv6Prefixes())
                  .stream()
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
    send(
        () ->
            client.associateAddress(
                r ->
                    r.allocationId(allocationId)
                        .networkInterfaceId(id.text())
                        .privateIpAddress(primary.toString())
                        .allowReassociation(false)));
  }

  @Override
  public void createTags(InterfaceId id, Map<String, String> tags) throws Ec2Failure {
    send(() -> client.createTags(r -> r.resources(id.text()).tags(tags(tags))));
  }

  @Override
  public void createNetworkInterfacePermission(InterfaceId id, String accountId) throws Ec2Failure {
    send(
        () ->
            client.createNetworkInterfacePermission(
                r ->
                    r.networkInterfaceId(id.text())
                        .awsAccountId(accountId)
                        .permission(InterfacePermissionType.INSTANCE_ATTACH)));
  }

  private static List<Tag> tags(Map<String, String> tags) {
    return new TreeMap<>(tags)
        .entrySet().stream()
            .map(each -> Tag.builder().key(each.getKey()).value(each.getValue()).build())
            .toList();
  }

  private static List<String> texts(Collection<InstanceId> ids) {
    return ids.stream().map(InstanceId::text).toList();
  }

  private static @Nullable String orNull(Optional<String> token) {
    return token.orElse(null);
  }

  private static <T> AwsPage<T> nothing() {
    return new AwsPage<>(List.of(), Optional.empty());
  }

  /**
   * The answer to the request, read; all that the SDK throws is a failure. One whose credentials
   * have expired did nothing; it is sent a second time with fresh ones (M13), and only then fails.
   */
  private <T> T send(Supplier<T> request) throws Ec2Failure {
    long generation = credentials.generation();
    try {
      return request.get();
    } catch (RuntimeException thrown) {
      Ec2Failure failure = SdkFailures.of(thrown);
      if (!EXPIRED.contains(failure.code())) {
        throw failure;
      }
    }
    credentials.renew(generation);
    try {
      return request.get();
    } catch (RuntimeException thrown) {
      throw SdkFailures.of(thrown);
    }
  }
}
