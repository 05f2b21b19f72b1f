package io.tidemark.provider.aws.simulation;

import io.tidemark.emulator.ec2.action.Actions;
import io.tidemark.emulator.ec2.http.Ec2Handler;
import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Caller;
import io.tidemark.emulator.ec2.model.Ec2Instance;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.Resource;
import io.tidemark.emulator.ec2.model.Table;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.provider.aws.ec2.ElasticAddress;
import io.tidemark.provider.aws.ec2.EmulatedDoors;
import io.tidemark.provider.aws.ec2.SecurityGroup;
import io.tidemark.spi.InstanceId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * EC2 whose reads need neither SDK nor XML: each passes throttle, faults and lag as any other
 * request and then takes the model's own objects. The SDK sends the changes. Tests compare its runs
 * with those of the SDK alone.
 */
final class DirectReads {
  private static final int PAGE = 1_000;
  private static final Map<String, String> PAGED = Map.of("MaxResults", "1000");
  private static final Map<String, String> SHORT_PAGES = Map.of("MaxResults", "100");

  private final Ec2World world;
  private final Caller caller;
  private final Reads reads;

  /** The reads that all doors to one world share. */
  static final class Reads {
    private final Translation translation = new Translation();
    private Function<Call, ?> reader = call -> List.of();
    private @Nullable Object found;

    /** The read actions; each returns what it finds. */
    List<Action> actions() {
      return Actions.all().stream()
          .filter(each -> each.name().startsWith("Describe") || each.name().startsWith("Get"))
          .map(this::reading)
          .toList();
    }

    private Action reading(Action genuine) {
      return new Action() {
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
      };
    }
  }

  private DirectReads(Ec2World world, Caller caller, Reads reads) {
    this.world = world;
    this.caller = caller;
    this.reads = reads;
  }

  static Ec2Api of(Ec2World world, Caller caller, Reads reads) {
    return EditedEc2.over(
        EmulatedDoors.sdk(new Ec2Handler(world.model(), world.time()), caller.account()),
        new DirectReads(world, caller, reads)::answer);
  }

  private @Nullable Object answer(String request, Object[] given, Callable<?> genuine)
      throws Exception {
    return switch (request) {
      case "describeNetworkInterfaces" ->
          list(
              Ec2Operation.DESCRIBE_NETWORK_INTERFACES,
              PAGED,
              given,
              Region::interfaces,
              DirectReads::value,
              (call, each) -> reads.translation.of(call.region(), each));
      case "describeSubnets" ->
          list(
              Ec2Operation.DESCRIBE_SUBNETS,
              PAGED,
              given,
              Region::subnets,
              (each, name) -> name.equals("vpc-id") ? each.vpcId() : each.id(),
              (call, each) -> Translation.of(each));
      case "describeVpcs" ->
          list(
              Ec2Operation.DESCRIBE_VPCS,
              PAGED,
              given,
              Region::vpcs,
              (each, name) -> each.id(),
              (call, each) -> Translation.of(each));
      case "describeRouteTables" ->
          list(
              Ec2Operation.DESCRIBE_ROUTE_TABLES,
              SHORT_PAGES,
              given,
              Region::routeTables,
              (each, name) -> each.vpcId(),
              (call, each) -> Translation.of(each));
      case "securityGroupsForVpc" ->
          groups(
              Ec2Operation.GET_SECURITY_GROUPS_FOR_VPC,
              Map.of("VpcId", (String) given[0], "MaxResults", "1000"),
              Ec2Filter.of("vpc-id", Set.of((String) given[0])),
              given[1]);
      case "describeSecurityGroups" -> groups(Ec2Operation.DESCRIBE_SECURITY_GROUPS, PAGED, given);
      case "describeInstances" ->
          list(
              Ec2Operation.DESCRIBE_INSTANCES,
              PAGED,
              given,
              Region::instances,
              DirectReads::value,
              (call, each) -> Translation.of(each));
      case "describeInstanceTypes" -> {
        Set<String> names =
            Objects.requireNonNull(((Ec2Filter) given[0]).values().get("instance-type"));
        yield read(
            Ec2Operation.DESCRIBE_INSTANCE_TYPES,
            SHORT_PAGES,
            call ->
                new AwsPage<>(
                    call.region().types().all().stream()
                        .filter(each -> names.contains(each.name()))
                        .map(Translation::of)
                        .toList(),
                    Optional.empty()));
      }
      case "describeTag" ->
          read(
              Ec2Operation.DESCRIBE_TAGS,
              PAGED,
              call ->
                  call.seen(call.region().instances(), ((InstanceId) given[0]).text())
                      .map(each -> each.tags().values().get((String) given[1])));
      case "describeAddresses" ->
          read(
              Ec2Operation.DESCRIBE_ADDRESSES,
              Map.of(),
              call ->
                  call.seen(call.region().elasticAddresses(), 0)
                      .map(Table.Seen::resource)
                      .filter(each -> passes(each, (Ec2Filter) given[0], (one, name) -> null))
                      .map(
                          each ->
                              new ElasticAddress(
                                  each.id(), each.publicIp(), each.association().isPresent()))
                      .toList());
      default -> genuine.call();
    };
  }

  private Object groups(Ec2Operation operation, Map<String, String> parameters, Object... given)
      throws Ec2Failure {
    return list(
        operation,
        parameters,
        given,
        Region::groups,
        (each, name) -> each.vpcId(),
        (call, each) -> new SecurityGroup(each.id(), each.vpcId(), each.tags().values()));
  }

  private static @Nullable String value(Ec2NetworkInterface each, String filter) {
    return switch (filter) {
      case "vpc-id" -> each.placement().vpcId();
      case "attachment.instance-id" -> each.attachment().map(at -> at.instanceId()).orElse(null);
      case "status" -> each.status();
      default -> each.id();
    };
  }

  private static String value(Ec2Instance each, String filter) {
    return switch (filter) {
      case "vpc-id" -> each.placement().vpcId();
      case "instance-state-name" -> each.state().wire();
      default -> each.id();
    };
  }

  /** A page of a table; {@code given} are the filter and the token. */
  private <M extends Resource, T> Object list(
      Ec2Operation operation,
      Map<String, String> parameters,
      Object[] given,
      Function<Region, Table<M>> table,
      BiFunction<M, String, @Nullable String> value,
      BiFunction<Call, M, T> shown)
      throws Ec2Failure {
    Ec2Filter filter = (Ec2Filter) given[0];
    long after =
        given[1] instanceof Optional<?> token && token.isPresent()
            ? Long.parseLong(token.get().toString())
            : 0;
    return read(
        operation,
        parameters,
        call -> {
          List<Table.Seen<M>> found =
              call.seen(table.apply(call.region()), after, filter.values())
                  .filter(each -> passes(each.resource(), filter, value))
                  .limit(PAGE + 1L)
                  .toList();
          boolean more = found.size() > PAGE;
          List<Table.Seen<M>> some = more ? found.subList(0, PAGE) : found;
          return new AwsPage<>(
              some.stream().map(each -> shown.apply(call, each.resource())).toList(),
              more ? Optional.of(Long.toString(some.get(PAGE - 1).serial())) : Optional.empty());
        });
  }

  private static <M extends Resource> boolean passes(
      M each, Ec2Filter filter, BiFunction<M, String, @Nullable String> value) {
    for (Map.Entry<String, Set<String>> one : filter.values().entrySet()) {
      String name = one.getKey();
      @Nullable String has =
          name.startsWith("tag:")
              ? each.tags().values().get(name.substring(4))
              : value.apply(each, name);
      if (has == null || !one.getValue().contains(has)) {
        return false;
      }
    }
    return true;
  }

  private Object read(Ec2Operation operation, Map<String, String> parameters, Function<Call, ?> how)
      throws Ec2Failure {
    reads.reader = how;
    Optional<Ec2Failure> failure =
        world
            .model()
            .apply(caller, Ec2World.form(operation.action(), parameters), world.now())
            .result()
            .match(
                answer -> Optional.empty(),
                error ->
                    Optional.of(
                        Ec2Failure.refused(
                            error.code(), error.message(), error.status(), "direct")));
    if (failure.isPresent()) {
      throw failure.get();
    }
    return Objects.requireNonNull(reads.found);
  }
}
