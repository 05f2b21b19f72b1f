package io.tidemark.provider.aws.simulation;

import io.tidemark.emulator.ec2.action.Actions;
import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Caller;
import io.tidemark.emulator.ec2.model.Resource;
import io.tidemark.emulator.ec2.model.Table;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.AwsSubnet;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The reads of {@link DirectEc2Api}: each passes throttle, faults and lag as any other request and
 * then takes the model's own objects. One file, because it is one list: a method per read of the
 * port.
 */
abstract class DirectReads implements Ec2Api {
  private static final int PAGE = 1_000;
  private static final Map<String, String> PAGED = Map.of("MaxResults", "1000");

  final Ec2World world;
  private final Caller caller;
  private final Reads reads;
  final Translation translation;
  final Map<String, AwsNetworkInterface> created;

  /** The reads that all doors to one world share. */
  static final class Reads {
    private final Map<String, Reading> byAction = new HashMap<>();
    private final Map<String, AwsNetworkInterface> created = new HashMap<>();
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
    public ParameterShape shape() {
      return genuine.shape();
    }

    @Override
    public Answer answer(Call call) {
      found = reader.apply(call);
      return Answer.TRUE;
    }
  }

  DirectReads(Ec2World world, Caller caller, Reads reads) {
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
    send(operation.action(), parameters);
    return (T) Objects.requireNonNull(reading.found);
  }

  final Answer send(String action, Map<String, String> parameters) throws Ec2Failure {
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

  private static <M extends Resource, T> AwsPage<T> page(
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
    return new AwsPage<>(
        some.stream().map(each -> shown.apply(each.resource())).toList(),
        more ? Optional.of(Long.toString(some.get(PAGE - 1).serial())) : Optional.empty());
  }

  @Override
  public AwsPage<AwsNetworkInterface> describeNetworkInterfaces(
      InterfaceQuery query, Optional<String> token) throws Ec2Failure {
    return read(
        Ec2Operation.DESCRIBE_NETWORK_INTERFACES,
        PAGED,
        call ->
            page(
                call,
                call.region().interfaces(),
                token,
                InterfaceFilter.exact(query),
                InterfaceFilter.of(query),
                each -> translation.of(call.region(), each)));
  }

  static Set<String> texts(Set<InstanceId> ids) {
    return ids.stream().map(InstanceId::text).collect(Collectors.toSet());
  }

  @Override
  public AwsPage<AwsSubnet> describeSubnets(SubnetFilter filter, Optional<String> token)
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
  public AwsPage<Vpc> describeVpcs(Set<String> ids, Optional<String> token) throws Ec2Failure {
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
  public AwsPage<RouteTable> describeRouteTables(Set<String> vpcIds, Optional<String> token)
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
  public AwsPage<SecurityGroup> securityGroupsForVpc(String vpcId, Optional<String> token)
      throws Ec2Failure {
    return read(
        Ec2Operation.GET_SECURITY_GROUPS_FOR_VPC,
        Map.of("VpcId", vpcId, "MaxResults", "1000"),
        call -> groups(call, Set.of(vpcId), token));
  }

  @Override
  public AwsPage<SecurityGroup> describeSecurityGroups(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    return read(Ec2Operation.DESCRIBE_SECURITY_GROUPS, PAGED, call -> groups(call, vpcIds, token));
  }

  private static AwsPage<SecurityGroup> groups(
      Call call, Set<String> vpcIds, Optional<String> token) {
    return page(
        call,
        call.region().groups(),
        token,
        Map.of(),
        each -> vpcIds.contains(each.vpcId()),
        each -> new SecurityGroup(each.id(), each.vpcId(), each.tags().values()));
  }

  @Override
  public AwsPage<Instance> describeInstances(Set<InstanceId> ids, Optional<String> token)
      throws Ec2Failure {
    Set<String> texts = texts(ids);
    return instances(Map.of("instance-id", texts), each -> texts.contains(each.id()), token);
  }

  @Override
  public AwsPage<Instance> describeIdleInstances(Set<String> vpcIds, Optional<String> token)
      throws Ec2Failure {
    Set<String> idle = Set.of("pending", "stopping", "stopped", "shutting-down");
    return instances(
        Map.of(),
        each -> idle.contains(each.state().wire()) && vpcIds.contains(each.placement().vpcId()),
        token);
  }

  @Override
  public AwsPage<Instance> describeTaggedInstances(Map<String, String> tags, Optional<String> token)
      throws Ec2Failure {
    return instances(
        Map.of(), each -> each.tags().values().entrySet().containsAll(tags.entrySet()), token);
  }

  private AwsPage<Instance> instances(
      Map<String, Set<String>> exact,
      Predicate<io.tidemark.emulator.ec2.model.Ec2Instance> filter,
      Optional<String> token)
      throws Ec2Failure {
    return read(
        Ec2Operation.DESCRIBE_INSTANCES,
        PAGED,
        call -> page(call, call.region().instances(), token, exact, filter, Translation::of));
  }

  @Override
  public AwsPage<InstanceType> describeInstanceTypes(Set<String> names, Optional<String> token)
      throws Ec2Failure {
    return read(
        Ec2Operation.DESCRIBE_INSTANCE_TYPES,
        Map.of("MaxResults", "100"),
        call ->
            new AwsPage<>(
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
}
