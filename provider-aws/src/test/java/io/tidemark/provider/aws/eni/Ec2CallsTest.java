package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.provider.aws.ec2.EmulatedDoors;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.provider.aws.ec2.SubnetFilter;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.InstanceId;
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
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Listings of EC2 come whole")
class Ec2CallsTest {
  private static final int PAGES = 5;
  private static final Set<String> VPC = Set.of("vpc-1");

  /** Items of pages are numbered through; two on each but the third, which EC2 may leave empty. */
  private static final List<Integer> ALL = List.of(0, 1, 2, 3, 6, 7, 8, 9);

  private final VirtualTime time = new VirtualTime(0);
  private final List<Optional<String>> tokens = new ArrayList<>();
  private int failing = -1;

  private final CloudCalls calls =
      EmulatedDoors.calls(time, Duration.ofMillis(10), Ec2CallLimits.of("1", "eu-west-1", 1));

  /** Every listing has {@value #PAGES} pages; the last argument is the token. */
  private final Ec2Calls ec2 =
      new Ec2Calls(
          () ->
              EditedEc2.of(
                  (method, arguments) -> page((Optional<?>) arguments[arguments.length - 1])),
          calls,
          calls);

  private AwsPage<Object> page(Optional<?> token) throws Ec2Failure {
    tokens.add(token.map(Object::toString));
    int number = token.map(each -> Integer.parseInt(each.toString())).orElse(0);
    if (number == failing) {
      throw Ec2Failure.refused("UnauthorizedOperation", "no", 403, "");
    }
    List<Object> items =
        ALL.stream().filter(each -> each / 2 == number).map(Object.class::cast).toList();
    return new AwsPage<>(
        items, Optional.of(number + 1).filter(next -> next < PAGES).map(String::valueOf));
  }

  /** A listing. */
  @FunctionalInterface
  private interface Listing {
    CompletionStage<? extends CallResult<? extends List<?>>> of(Ec2Calls ec2, CallContext context);
  }

  private static Named<Listing> named(String name, Listing listing) {
    return Named.of(name, listing);
  }

  private static Stream<Named<Listing>> listings() {
    Set<InstanceId> ids = Set.of(new InstanceId("i-1"));
    return Stream.of(
        named("interfaces", (e, c) -> e.interfaces(new InterfaceQuery.OfVpcs(VPC), c)),
        named("of instances", (e, c) -> e.interfaces(new InterfaceQuery.OfInstances(ids), c)),
        named("subnets", (e, c) -> e.subnets(new SubnetFilter(VPC, Set.of(), Map.of()), c)),
        named("VPCs", (e, c) -> e.vpcs(VPC, c)),
        named("route tables", (e, c) -> e.routeTables(VPC, c)),
        named("groups of a VPC", (e, c) -> e.securityGroupsForVpc("vpc-1", c)),
        named("groups", (e, c) -> e.securityGroups(VPC, c)),
        named("instances", (e, c) -> e.instances(ids, c)),
        named("idle instances", (e, c) -> e.idleInstances(VPC, c)),
        named("tagged instances", (e, c) -> e.taggedInstances(Map.of("a", "b"), c)));
  }

  private CallResult<? extends List<?>> run(Listing listing) {
    CallContext context =
        CallContext.of(
            "",
            Priority.of(Priority.Rank.SWEEP),
            time.nanos() + Duration.ofMinutes(1).toNanos(),
            new Cancellation());
    var stage = listing.of(ec2, context).toCompletableFuture();
    time.runUntil(time.nanos() + Duration.ofMinutes(1).toNanos());
    return stage.join();
  }

  @DisplayName("page after page to the last, an empty one between them included")
  @ParameterizedTest
  @MethodSource("listings")
  void whole(Listing listing) {
    List<?> found = run(listing).match(all -> all, failure -> List.of(failure));

    assertThat(found).isEqualTo(ALL);
    assertThat(tokens)
        .containsExactly(
            Optional.empty(),
            Optional.of("1"),
            Optional.of("2"),
            Optional.of("3"),
            Optional.of("4"));
  }

  @DisplayName("or not at all: a part is no listing")
  @ParameterizedTest
  @MethodSource("listings")
  void failed(Listing listing) {
    failing = PAGES - 1;

    assertThat(run(listing)).isInstanceOf(CallResult.Failed.class);
  }
}
