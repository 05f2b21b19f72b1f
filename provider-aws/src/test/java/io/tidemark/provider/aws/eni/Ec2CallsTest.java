package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.Ec2Accounts;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.provider.aws.ec2.ElasticAddress;
import io.tidemark.provider.aws.ec2.EmulatedDoors;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Requests to EC2: listings come whole, and each asks the account that answers it")
class Ec2CallsTest {
  private static final int PAGES = 5;
  private static final Ec2Filter VPC = Ec2Filter.of("vpc-id", Set.of("vpc-1"));
  private static final Set<InstanceId> INSTANCES = Set.of(new InstanceId("i-1"));
  private static final InterfaceId ENI = new InterfaceId("eni-1");

  /** Items of pages are numbered through; two on each but the third, which EC2 may leave empty. */
  private static final List<Integer> ALL = List.of(0, 1, 2, 3, 6, 7, 8, 9);

  private final VirtualTime time = new VirtualTime(0);
  private final List<Optional<String>> tokens = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();

  /** The page that is refused. */
  private int failing = -1;

  private final CloudCalls calls =
      EmulatedDoors.calls(time, Duration.ofMillis(10), Ec2CallLimits.of("1", "eu-west-1", 1));

  private final Ec2Calls ec2 = new Ec2Calls(this::accounts, calls, calls);

  private Ec2Accounts accounts() {
    return Ec2Accounts.two(account("network"), account("instances"), "111111111111");
  }

  /** Every listing has {@value #PAGES} pages; the last argument is the token. */
  private Ec2Api account(String name) {
    return EditedEc2.of(
        (method, arguments) -> {
          asked.add(name);
          if (failing == 0) {
            throw refused();
          }
          return page((Optional<?>) arguments[arguments.length - 1]);
        });
  }

  private static Ec2Failure refused() {
    return Ec2Failure.refused("UnauthorizedOperation", "no", 403, "");
  }

  private AwsPage<Object> page(Optional<?> token) throws Ec2Failure {
    tokens.add(token.map(Object::toString));
    int number = token.map(each -> Integer.parseInt(each.toString())).orElse(0);
    if (number == failing) {
      throw refused();
    }
    List<Object> items =
        ALL.stream().filter(each -> each / 2 == number).map(Object.class::cast).toList();
    return new AwsPage<>(
        items, Optional.of(number + 1).filter(next -> next < PAGES).map(String::valueOf));
  }

  /** A request. */
  @FunctionalInterface
  private interface Request {
    CompletionStage<? extends CallResult<?>> of(Ec2Calls ec2, CallContext context);
  }

  /** A request with its name, and the accounts that are asked until one does not refuse. */
  private static Arguments row(String name, String accounts, Request request) {
    return Arguments.of(Named.of(name, request), accounts);
  }

  private static Stream<Arguments> listings() {
    return Stream.of(
        row("what can be attached", "instances", (e, c) -> e.attachable(VPC, c)),
        row("interfaces", "network", (e, c) -> e.interfaces(VPC, c)),
        row("subnets", "network", (e, c) -> e.subnets(VPC, c)),
        row("VPCs", "network", (e, c) -> e.vpcs(VPC, c)),
        row("route tables", "network", (e, c) -> e.routeTables(VPC, c)),
        row("groups of a VPC", "network", (e, c) -> e.securityGroupsForVpc("vpc-1", c)),
        row("groups", "network", (e, c) -> e.securityGroups(VPC, c)),
        row("instances", "instances", (e, c) -> e.instances(INSTANCES, c)));
  }

  private static Stream<Arguments> requests() {
    ElasticAddress elastic =
        new ElasticAddress("eipalloc-1", IpAddress.parse("203.0.113.1"), false);
    IpAddress primary = IpAddress.parse("10.0.0.1");
    Stream<Arguments> others =
        Stream.of(
            row("addresses", "instances", (e, c) -> e.elasticAddresses(Map.of("a", "b"), c)),
            row("create", "network", (e, c) -> e.create(EmulatedDoors.REQUEST, c)),
            row("attach", "instances", (e, c) -> e.attach(ENI, new InstanceId("i-1"), 1, c)),
            row(
                "mark",
                "instances network",
                (e, c) -> e.markDeleteOnTermination(ENI, "a", true, c)),
            row(
                "assign",
                "network instances",
                (e, c) ->
                    e.assign(
                        ENI, InstanceInterfaces.rungs(Samples.pool("s-1", 9), 1, 0).get(0), c)),
            row("assign IPv6", "network instances", (e, c) -> e.assignIpv6Prefixes(ENI, 1, c)),
            row(
                "assign a prefix",
                "network instances",
                (e, c) -> e.assignPrefix(ENI, Cidr.parse("10.0.0.16/28"), c)),
            row(
                "unassign",
                "network instances",
                (e, c) -> e.unassign(ENI, AddressSet.of(primary), List.of(), c)),
            row("detach", "instances", (e, c) -> e.detach(ENI, "eni-attach-1", c)),
            row("groups", "network", (e, c) -> e.changeGroups(ENI, List.of("sg-1"), c)),
            row("delete", "network", (e, c) -> e.delete(ENI, c)),
            row("associate", "instances", (e, c) -> e.associate(elastic, ENI, primary, c)));
    return Stream.concat(listings(), others);
  }

  private CallResult<?> run(Request request) {
    CallContext context =
        CallContext.within(
            Duration.ofMinutes(1), time, "", Priority.Rank.SWEEP, new Cancellation());
    var stage = request.of(ec2, context).toCompletableFuture();
    time.runUntil(time.nanos() + Duration.ofMinutes(1).toNanos());
    return stage.join();
  }

  @DisplayName("page after page to the last, an empty one between them included")
  @ParameterizedTest(name = "{0}")
  @MethodSource("listings")
  void whole(Request listing, String account) {
    assertThat(run(listing).answer()).isEqualTo(Optional.of(ALL));
    assertThat(tokens)
        .containsExactly(
            Optional.empty(),
            Optional.of("1"),
            Optional.of("2"),
            Optional.of("3"),
            Optional.of("4"));
    assertThat(asked).containsOnly(account);
  }

  @DisplayName("or not at all: a part is no listing")
  @ParameterizedTest(name = "{0}")
  @MethodSource("listings")
  void failed(Request listing, String account) {
    failing = PAGES - 1;
    assertThat(run(listing)).isInstanceOf(CallResult.Failed.class);
  }

  @DisplayName("AWS-67 AWS-68 AWS-72 with two accounts that of the network, or of the instances")
  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("requests")
  void accounts(Request request, String accounts) {
    failing = 0;
    assertThat(run(request)).isInstanceOf(CallResult.Failed.class);
    assertThat(String.join(" ", asked)).isEqualTo(accounts);
  }
}
