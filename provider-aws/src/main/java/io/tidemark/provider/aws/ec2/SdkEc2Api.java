package io.tidemark.provider.aws.ec2;

import static io.tidemark.provider.aws.ec2.Answers.list;
import static io.tidemark.provider.aws.ec2.Answers.page;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.aws.ec2.Answers.Unreadable;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
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
import software.amazon.awssdk.services.ec2.model.TagSpecification;

/**
 * EC2 by way of the AWS SDK, whose own retries are off. Listings are restricted by filter, never by
 * the ids parameter, which excludes paging and fails as a whole when one id has gone. A filter that
 * finds nothing is not sent: EC2 would take it for no restriction at all. One file, because it is
 * one list: a method per operation of the port (provider-aws 1.1).
 */
final class SdkEc2Api implements Ec2Api {
  private static final Set<String> EXPIRED =
      Set.of("RequestExpired", "ExpiredToken", "ExpiredTokenException");

  /** Left out, EC2 checks the wrong limits on types with several cards. */
  private static final int CARD = 0;

  private final Ec2Client client;
  private final RenewableCredentials credentials;
  private final int pageSize;

  /**
   * Sends through {@code client}, which signs with {@code credentials}.
   *
   * @param pageSize the setting {@code aws-max-results-per-call}; 0 for ours (provider-aws 1.2).
   *     Always sent: EC2 refuses listings of large accounts that are neither filtered in certain
   *     ways nor paged, and gives paged ones the larger bucket
   */
  SdkEc2Api(Ec2Client client, RenewableCredentials credentials, int pageSize) {
    this.client = client;
    this.credentials = credentials;
    this.pageSize = pageSize;
  }

  // ---- reads

  @Override
  public AwsPage<AwsNetworkInterface> describeNetworkInterfaces(
      Ec2Filter filter, Optional<String> token) throws Ec2Failure {
    return listed(
        filter,
        filters -> {
          var answer =
              client.describeNetworkInterfaces(
                  r -> r.filters(filters).maxResults(most(1000)).nextToken(orNull(token)));
          return page(answer.networkInterfaces(), InterfaceAnswer::read, answer.nextToken());
        });
  }

  @Override
  public AwsPage<AwsSubnet> describeSubnets(Ec2Filter filter, Optional<String> token)
      throws Ec2Failure {
    return listed(
        filter,
        filters -> {
          var answer =
              client.describeSubnets(
                  r -> r.filters(filters).maxResults(most(500)).nextToken(orNull(token)));
          return page(answer.subnets(), NetworkAnswers::subnet, answer.nextToken());
        });
  }

  @Override
  public AwsPage<Vpc> describeVpcs(Ec2Filter filter, Optional<String> token) throws Ec2Failure {
    return listed(
        filter,
        filters -> {
          var answer =
              client.describeVpcs(
                  r -> r.filters(filters).maxResults(most(500)).nextToken(orNull(token)));
          return page(answer.vpcs(), NetworkAnswers::vpc, answer.nextToken());
        });
  }

  @Override
  public AwsPage<RouteTable> describeRouteTables(Ec2Filter filter, Optional<String> token)
      throws Ec2Failure {
    return listed(
        filter,
        filters -> {
          var answer =
              client.describeRouteTables(
                  r ->
                      r.filters(filters)
                          .maxResults(Math.min(most(100), 100))
                          .nextToken(orNull(token)));
          return page(answer.routeTables(), NetworkAnswers::routeTable, answer.nextToken());
        });
  }

  @Override
  public AwsPage<SecurityGroup> securityGroupsForVpc(String vpcId, Optional<String> token)
      throws Ec2Failure {
    return listed(
        Ec2Filter.NONE,
        none -> {
          var answer =
              client.getSecurityGroupsForVpc(
                  r -> r.vpcId(vpcId).maxResults(most(500)).nextToken(orNull(token)));
          return page(
              answer.securityGroupForVpcs(),
              group -> NetworkAnswers.group(group, vpcId),
              answer.nextToken());
        });
  }

  @Override
  public AwsPage<SecurityGroup> describeSecurityGroups(Ec2Filter filter, Optional<String> token)
      throws Ec2Failure {
    return listed(
        filter,
        filters -> {
          var answer =
              client.describeSecurityGroups(
                  r -> r.filters(filters).maxResults(most(500)).nextToken(orNull(token)));
          return page(answer.securityGroups(), NetworkAnswers::group, answer.nextToken());
        });
  }

  @Override
  public AwsPage<Instance> describeInstances(Ec2Filter filter, Optional<String> token)
      throws Ec2Failure {
    return listed(
        filter,
        filters -> {
          var answer =
              client.describeInstances(
                  r -> r.filters(filters).maxResults(most(1000)).nextToken(orNull(token)));
          var all =
              list(answer.reservations()).stream()
                  .map(Reservation::instances)
                  .flatMap(each -> list(each).stream())
                  .toList();
          return page(all, InstanceAnswers::instance, answer.nextToken());
        });
  }

  @Override
  public AwsPage<InstanceType> describeInstanceTypes(Ec2Filter filter, Optional<String> token)
      throws Ec2Failure {
    return listed(
        filter,
        filters -> {
          var answer =
              client.describeInstanceTypes(
                  r ->
                      r.filters(filters)
                          .maxResults(Math.min(most(100), 100))
                          .nextToken(orNull(token)));
          return page(answer.instanceTypes(), InstanceAnswers::type, answer.nextToken());
        });
  }

  @Override
  public Optional<String> describeTag(InstanceId instance, String key) throws Ec2Failure {
    Ec2Filter filter =
        Ec2Filter.of("resource-type", Set.of("instance"))
            .and("resource-id", Set.of(instance.text()))
            .and("key", Set.of(key));
    return listed(
            filter,
            filters -> {
              var answer = client.describeTags(r -> r.filters(filters).maxResults(most(1000)));
              return page(answer.tags(), tag -> Answers.optional(tag.value()), null);
            })
        .items()
        .stream()
        .findFirst();
  }

  /** Has no pages. */
  @Override
  public List<ElasticAddress> describeAddresses(Ec2Filter filter) throws Ec2Failure {
    return listed(
            filter,
            filters ->
                page(
                    client.describeAddresses(r -> r.filters(filters)).addresses(),
                    InstanceAnswers::address,
                    null))
        .items();
  }

  private int most(int usual) {
    return pageSize == 0 ? usual : pageSize;
  }

  private <T> AwsPage<T> listed(Ec2Filter filter, Function<List<Filter>, AwsPage<T>> request)
      throws Ec2Failure {
    if (filter.findsNothing()) {
      return new AwsPage<>(List.of(), Optional.empty());
    }
    List<Filter> filters = filters(filter);
    return send(() -> request.apply(filters));
  }

  static List<Filter> filters(Ec2Filter filter) {
    List<Filter> all = new ArrayList<>();
    filter
        .values()
        .forEach(
            (name, values) -> {
              if (values.size() > Ec2Filter.VALUES_MAX) {
                throw new IllegalArgumentException(
                    name + " has " + values.size() + " values; a filter takes 200");
              }
              all.add(Filter.builder().name(name).values(values).build());
            });
    return all;
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
  public AttachedInterface assignPrivateIpAddresses(InterfaceId id, int count) throws Ec2Failure {
    return assign(id, r -> r.secondaryPrivateIpAddressCount(count));
  }

  @Override
  public AttachedInterface assignPrefixes(InterfaceId id, int count) throws Ec2Failure {
    return assignPrefixes(id, r -> r.ipv4PrefixCount(count));
  }

  private AttachedInterface assignPrefixes(
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
            ? assignPrefixes(id, r -> r.ipv4Prefixes(prefix.toString())).blocks()
            : assignIpv6(id, r -> r.ipv6Prefixes(prefix.toString()));
    if (!assigned.contains(prefix)) {
      throw Ec2Failure.unanswered(
          Ec2Failure.Ending.ANSWER_LOST, "the response does not list " + prefix, null);
    }
  }

  private AttachedInterface assign(
      InterfaceId id, Consumer<AssignPrivateIpAddressesRequest.Builder> which) throws Ec2Failure {
    return send(
        () ->
            assigned(
                id,
                client.assignPrivateIpAddresses(
                    r -> which.accept(r.networkInterfaceId(id.text())))));
  }

  private static AttachedInterface assigned(
      InterfaceId id, AssignPrivateIpAddressesResponse answer) {
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
    return new AttachedInterface(id, singles.build(), prefixes);
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

  private static @Nullable String orNull(Optional<String> token) {
    return token.orElse(null);
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
