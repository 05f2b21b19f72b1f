package io.tidemark.provider.aws.simulation;

import io.tidemark.emulator.ec2.action.Actions;
import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Caller;
import io.tidemark.emulator.ec2.model.Resource;
import io.tidemark.emulator.ec2.model.Table;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Shape;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.AssignedAddresses;
import io.tidemark.provider.aws.ec2.CreateInterfaceRequest;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Operation;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * EC2 without SDK and XML: a read passes throttle, faults and lag as any other and then takes the
 * model's own objects; a change is the form that the SDK would send. Tests compare its runs with
 * the SDK's.
 */
final class DirectEc2Api implements Ec2Api {
  private static final int PAGE = 1_000;
  private static final Map<String, String> PAGED = Map.of("MaxResults", "1000");

  private final Ec2World world;
  private final Caller caller;
  private final Reads reads;
  private final Translation translation;
  private final Map<String, NetworkInterface> created;

  /** What all doors to one world share. */
  static final class Reads {
    private final Map<String, Reading> byAction = new HashMap<>();
    private final Map<String, NetworkInterface> created = new HashMap<>();
    private final Translation translation = new Translation();

    /** The reading actions, which give what they find to whoever asks. */
    List<Action> actions() {
      List<Action> actions = new ArrayList<>();
      for (Action each : Actions.all()) {
        if (each.name().startsWith("Describe") || each.name().startsWith("Get")) {
          Reading reading = new Reading(each);
          byAction.put(each.name(), reading);
          actions.add(reading);
        }
      }
      return actions;
    }
  }

  /** An action that does what it was last told to. */
  private static final class Reading implements Action {
    private final Action genuine;
    private Function<Call, ?> reader = call -> List.of();
    private @Nullable Object found;

    Reading(Action genuine) {
      this.genuine = genuine;
    }

    @Override
    public String name() {
      return genuine.name();
    }

    @Override
    public Shape shape() {
      return genuine.shape();
    }

    @Override
    public Answer answer(Call call) {
      found = reader.apply(call);
      return Answer.TRUE;
    }
  }

  DirectEc2Api(Ec2World world, Caller caller, Reads reads) {
    this.world = world;
    this.caller = caller;
    this.reads = reads;
    this.translation = reads.translation;
    this.created = reads.created;
  }

  // ---- reads

  @SuppressWarnings("unchecked")
  private <T> T read(Ec2Operation operation, Map<String, String> parameters, Function<Call, T> how)
      throws Ec2Failure {
    Reading reading = Objects.requireNonNull(reads.byAction.get(operation.action()));
    reading.reader = how;
    Answer unused = send(operation.action(), parameters);
    return (T) Objects.requireNonNull(reading.found);
  }

  private Answer send(String action, Map<String, String> parameters) throws Ec2Failure {
    var result =
        world.model().apply(caller, Ec2World.form(action, parameters), world.now()).result();
    Optional<Ec2Failure> failure =
        result.match(
            answer -> Optional.empty(),
            error ->
                Optional.of(
                    Ec2Failure.refused(error.code(), error.message(), error.status(), "direct")));
    if (failure.isPresent()) {
      throw failure.get();
    }
    return result.match(
        answer -> answer,
        error -> {
          throw new IllegalStateException();
        });
  }

  private static <M extends Resource, T> Page<T> page(
      Call call,
      Table<M> table,
      Optional<String> token,
      Map<String, Set<String>> exact,
      Predicate<M> filter,
      Function<M, T> shown) {
    long after = token.map(Long::parseLong).orElse(0L);
    List<Table.Seen<M>> found =
        call.seen(table, after, exact)
            .filter(each -> filter.test(each.resource()))
            .limit(PAGE + 1L)
            .toList();
    boolean more = found.size() > PAGE;
    List<Table.Seen<M>> some = more ? found.subList(0, PAGE) : found;
    return new Page<>(
        some.stream().map(each -> shown.apply(each.resource())).toList(),
        more ? Optional.of(Long.toString(some.get(PAGE - 1).serial())) : Optional.empty());
  }

  @Override
  public Page<NetworkInterface> describeNetworkInterfaces(
      InterfaceQuery query, Optional<String> token) throws Ec2Failure {
    return read(
        Ec2Operation.DESCRIBE_NETWORK_INTERFACES,
        PAGED,
        call ->
            page(
                call,
                call.region().interfaces(),
                token,
                exact(query),
                filter(query),
                each -> translation.of(call.region(), each)));
  }

  private static Map<String, Set<String>> exact(InterfaceQuery query) {
    if (query instanceof InterfaceQuery.OfVpcs of) {
      return Map.of("vpc-id", of.vpcIds());
    }
    if (query instanceof InterfaceQuery.OfInstances of) {
      return Map.of("attachment.instance-id", texts(of.ids()));
    }
    if (query instanceof InterfaceQuery.One one) {
      return Map.of("network-interface-id", Set.of(one.id().text()));
    }
    Map<String, Set<String>> exact = new HashMap<>();
    tags(query).forEach((key, value) -> exact.put("tag:" + key, Set.of(value)));
    return exact;
  }

  private static Map<String, String> tags(InterfaceQuery query) {
    return query instanceof InterfaceQuery.Tagged tagged
        ? tagged.tags()
        : ((InterfaceQuery.Available) query).tags();
  }

  private static Predicate<io.tidemark.emulator.ec2.model.NetworkInterface> filter(
      InterfaceQuery query) {
    if (query instanceof InterfaceQuery.OfVpcs of) {
      return each -> of.vpcIds().contains(each.placement().vpcId());
    }
    if (query instanceof InterfaceQuery.OfInstances of) {
      Set<String> ids = texts(of.ids());
      return each -> each.attachment().filter(a -> ids.contains(a.instanceId())).isPresent();
    }
    if (query instanceof InterfaceQuery.One one) {
      return each -> each.id().equals(one.id().text());
    }
    Map<String, String> tags = tags(query);
    return each ->
        each.tags().values().entrySet().containsAll(tags.entrySet())
            && (query instanceof InterfaceQuery.Tagged || each.status().equals("available"));
  }

  private static Set<String> texts(Set<InstanceId> ids) {
    return ids.stream().map(InstanceId::text).collect(Collectors.toSet());
  }

  @Override
  public Page<Subnet> describeSubnets(SubnetFilter filter, Optional<String> token)
      throws Ec2Failure {
    return read(
        Ec2Operation.DESCRIBE_SUBNETS,
        PAGED,
        call ->
            page(
                call,
                call.region().subnets(),
                token,
                Map.of(),
                each ->
                    (filter.vpcIds().isEmpty() || filter.vpcIds().contains(each.vpcId()))
                        && (filter.ids().isEmpty() || filter.ids().contains(each.id()))
                        && each.tags().values().entrySet().containsAll(filter.tags().entrySet()),
                Translation::of));
  }

  @Override
  public Page<Vpc> describeVpcs(Set<String> ids, Optional<String> token) throws Ec2Failure {
    return read(
        Ec2Operation.DESCRIBE_VPCS,
        PAGED,
        call ->
            page(
                call,
                call.region().vpcs(),
                token,
                Map.of(),
                each -> ids.contains(each.id()),
                Translation::of));
  }

  @Override
  public Page<RouteTable> describeRouteTables(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    return read(
        Ec2Operation.DESCRIBE_ROUTE_TABLES,
        Map.of("MaxResults", "100"),
        call ->
            page(
                call,
                call.region().routeTables(),
                token,
                Map.of(),
                each -> vpcIds.contains(each.vpcId()),
                Translation::of));
  }

  @Override
  public Page<SecurityGroup> securityGroupsForVpc(String vpcId, Optional<String> token)
      throws Ec2Failure {
    return read(
        Ec2Operation.GET_SECURITY_GROUPS_FOR_VPC,
        Map.of("VpcId", vpcId, "MaxResults", "1000"),
        call -> groups(call, Set.of(vpcId), token));
  }

  @Override
  public Page<SecurityGroup> describeSecurityGroups(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    return read(Ec2Operation.DESCRIBE_SECURITY_GROUPS, PAGED, call -> groups(call, vpcIds, token));
  }

  private static Page<SecurityGroup> groups(Call call, Set<String> vpcIds, Optional<String> token) {
    return page(
        call,
        call.region().groups(),
        token,
        Map.of(),
        each -> vpcIds.contains(each.vpcId()),
        each -> new SecurityGroup(each.id(), each.vpcId(), each.tags().values()));
  }

  @Override
  public Page<Instance> describeInstances(Set<InstanceId> ids, Optional<String> token)
      throws Ec2Failure {
    Set<String> texts = texts(ids);
    return instances(Map.of("instance-id", texts), each -> texts.contains(each.id()), token);
  }

  @Override
  public Page<Instance> describeIdleInstances(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    Set<String> idle = Set.of("pending", "stopping", "stopped", "shutting-down");
    return instances(
        Map.of(),
        each -> idle.contains(each.state().wire()) && vpcIds.contains(each.placement().vpcId()),
        token);
  }

  @Override
  public Page<Instance> describeTaggedInstances(Map<String, String> tags, Optional<String> token)
      throws Ec2Failure {
    return instances(
        Map.of(), each -> each.tags().values().entrySet().containsAll(tags.entrySet()), token);
  }

  private Page<Instance> instances(
      Map<String, Set<String>> exact,
      Predicate<io.tidemark.emulator.ec2.model.Instance> filter,
      Optional<String> token)
      throws Ec2Failure {
    return read(
        Ec2Operation.DESCRIBE_INSTANCES,
        PAGED,
        call -> page(call, call.region().instances(), token, exact, filter, Translation::of));
  }

  @Override
  public Page<InstanceType> describeInstanceTypes(Set<String> names, Optional<String> token)
      throws Ec2Failure {
    return read(
        Ec2Operation.DESCRIBE_INSTANCE_TYPES,
        Map.of("MaxResults", "100"),
        call ->
            new Page<>(
                call.region().types().all().stream()
                    .filter(each -> names.contains(each.name()))
                    .map(Translation::of)
                    .toList(),
                Optional.empty()));
  }

  @Override
  public Optional<String> describeTag(InstanceId instance, String key) throws Ec2Failure {
    return read(
        Ec2Operation.DESCRIBE_TAGS,
        PAGED,
        call ->
            call.seen(call.region().instances(), instance.text())
                .map(each -> each.tags().values().get(key)));
  }

  @Override
  public List<ElasticAddress> describeAddresses(Map<String, String> tags) throws Ec2Failure {
    return read(
        Ec2Operation.DESCRIBE_ADDRESSES,
        Map.of(),
        call ->
            call.seen(call.region().elasticAddresses(), 0)
                .map(Table.Seen::resource)
                .filter(each -> each.tags().values().entrySet().containsAll(tags.entrySet()))
                .map(
                    each ->
                        new ElasticAddress(
                            each.id(), each.publicIp(), each.association().isPresent()))
                .toList());
  }

  // ---- changes

  @Override
  public NetworkInterface createNetworkInterface(CreateInterfaceRequest request) throws Ec2Failure {
    Map<String, String> parameters =
        new HashMap<>(Ec2World.tags("TagSpecification.1.", request.tags()));
    parameters.put("TagSpecification.1.ResourceType", "network-interface");
    parameters.put("SubnetId", request.subnet().text());
    parameters.put("Description", request.description());
    parameters.put("ClientToken", request.token());
    numbered(parameters, "SecurityGroupId", request.securityGroups());
    count(parameters, "SecondaryPrivateIpAddressCount", request.singles());
    count(parameters, "Ipv4PrefixCount", request.prefixes());
    count(parameters, "Ipv6PrefixCount", request.ipv6Prefixes());
    Answer answer;
    try {
      answer = send("CreateNetworkInterface", parameters);
    } catch (Ec2Failure failure) {
      throw request.prefixes() > 0 ? failure.ofPrefixes() : failure;
    }
    String id =
        answer.nested("networkInterface").orElseThrow().text("networkInterfaceId").orElseThrow();
    // A repetition under the same token is told what the first one was.
    return created.computeIfAbsent(id, this::justCreated);
  }

  private NetworkInterface justCreated(String id) {
    return Translation.pending(
        translation.of(world.region(), world.region().interfaces().find(id).orElseThrow()));
  }

  private static void count(Map<String, String> parameters, String name, int count) {
    if (count > 0) {
      parameters.put(name, Integer.toString(count));
    }
  }

  private static void numbered(Map<String, String> parameters, String name, List<String> values) {
    for (int i = 0; i < values.size(); i++) {
      parameters.put(name + "." + (i + 1), values.get(i));
    }
  }

  private static List<String> texts(List<?> all) {
    return all.stream().map(Object::toString).toList();
  }

  @Override
  public String attachNetworkInterface(InterfaceId id, InstanceId to, int deviceIndex)
      throws Ec2Failure {
    return send(
            "AttachNetworkInterface",
            Map.of(
                "NetworkInterfaceId", id.text(),
                "InstanceId", to.text(),
                "DeviceIndex", Integer.toString(deviceIndex),
                "NetworkCardIndex", "0"))
        .text("attachmentId")
        .orElseThrow();
  }

  @Override
  public void modifyDeleteOnTermination(InterfaceId id, String attachmentId, boolean wanted)
      throws Ec2Failure {
    Answer unused =
        send(
            "ModifyNetworkInterfaceAttribute",
            Map.of(
                "NetworkInterfaceId",
                id.text(),
                "Attachment.AttachmentId",
                attachmentId,
                "Attachment.DeleteOnTermination",
                Boolean.toString(wanted)));
  }

  @Override
  public AssignedAddresses assignPrivateIpAddresses(InterfaceId id, int count) throws Ec2Failure {
    return assigned(id, "SecondaryPrivateIpAddressCount", count);
  }

  @Override
  public AssignedAddresses assignPrefixes(InterfaceId id, int count) throws Ec2Failure {
    try {
      return assigned(id, "Ipv4PrefixCount", count);
    } catch (Ec2Failure failure) {
      throw failure.ofPrefixes();
    }
  }

  private AssignedAddresses assigned(InterfaceId id, String what, int count) throws Ec2Failure {
    Answer answer =
        send(
            "AssignPrivateIpAddresses",
            Map.of("NetworkInterfaceId", id.text(), what, Integer.toString(count)));
    AddressSet.Builder singles = AddressSet.builder();
    for (Answer each : answer.structures("assignedPrivateIpAddressesSet")) {
      singles.add(IpAddress.parse(each.text("privateIpAddress").orElseThrow()));
    }
    return new AssignedAddresses(
        singles.build(),
        answer.structures("assignedIpv4PrefixSet").stream()
            .map(each -> Cidr.parse(each.text("ipv4Prefix").orElseThrow()))
            .sorted()
            .toList());
  }

  @Override
  public void unassignPrivateIpAddresses(InterfaceId id, AddressSet addresses) throws Ec2Failure {
    unassign("UnassignPrivateIpAddresses", id, "PrivateIpAddress", texts(addresses.toList()));
  }

  @Override
  public void unassignPrefixes(InterfaceId id, List<Cidr> prefixes) throws Ec2Failure {
    unassign("UnassignPrivateIpAddresses", id, "Ipv4Prefix", texts(prefixes));
  }

  private void unassign(String action, InterfaceId id, String what, List<String> all)
      throws Ec2Failure {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("NetworkInterfaceId", id.text());
    numbered(parameters, what, all);
    Answer unused = send(action, parameters);
  }

  @Override
  public List<Cidr> assignIpv6Prefixes(InterfaceId id, int count) throws Ec2Failure {
    try {
      return texts(
              send(
                  "AssignIpv6Addresses",
                  Map.of(
                      "NetworkInterfaceId", id.text(), "Ipv6PrefixCount", Integer.toString(count))),
              "assignedIpv6PrefixSet")
          .stream()
          .map(Cidr::parse)
          .sorted()
          .toList();
    } catch (Ec2Failure failure) {
      throw failure.ofPrefixes();
    }
  }

  private static List<String> texts(Answer answer, String list) {
    return answer.member(list).orElse(new Answer.Items(List.of())) instanceof Answer.Items items
        ? items.values().stream()
            .filter(Answer.Text.class::isInstance)
            .map(each -> ((Answer.Text) each).text())
            .toList()
        : List.of();
  }

  @Override
  public void unassignIpv6Prefixes(InterfaceId id, List<Cidr> prefixes) throws Ec2Failure {
    unassign("UnassignIpv6Addresses", id, "Ipv6Prefix", texts(prefixes));
  }

  @Override
  public void modifySecurityGroups(InterfaceId id, List<String> groups) throws Ec2Failure {
    Map<String, String> sent = new TreeMap<>();
    sent.put("NetworkInterfaceId", id.text());
    for (int i = 0; i < groups.size(); i++) {
      sent.put("SecurityGroupId." + (i + 1), groups.get(i));
    }
    Answer unused = send("ModifyNetworkInterfaceAttribute", sent);
  }

  @Override
  public void detachNetworkInterface(String attachmentId) throws Ec2Failure {
    Answer unused = send("DetachNetworkInterface", Map.of("AttachmentId", attachmentId));
  }

  @Override
  public void deleteNetworkInterface(InterfaceId id) throws Ec2Failure {
    Answer unused = send("DeleteNetworkInterface", Map.of("NetworkInterfaceId", id.text()));
  }

  @Override
  public void associateAddress(String allocationId, InterfaceId id, IpAddress primary)
      throws Ec2Failure {
    Answer unused =
        send(
            "AssociateAddress",
            Map.of(
                "AllocationId",
                allocationId,
                "NetworkInterfaceId",
                id.text(),
                "PrivateIpAddress",
                primary.toString(),
                "AllowReassociation",
                "false"));
  }

  @Override
  public void createTags(InterfaceId id, Map<String, String> tags) throws Ec2Failure {
    Map<String, String> parameters = new HashMap<>(Ec2World.tags("", tags));
    parameters.put("ResourceId.1", id.text());
    Answer unused = send("CreateTags", parameters);
  }

  @Override
  public void createNetworkInterfacePermission(InterfaceId id, String accountId) throws Ec2Failure {
    Answer unused =
        send(
            "CreateNetworkInterfacePermission",
            Map.of(
                "NetworkInterfaceId",
                id.text(),
                "AwsAccountId",
                accountId,
                "Permission",
                "INSTANCE-ATTACH"));
  }
}
