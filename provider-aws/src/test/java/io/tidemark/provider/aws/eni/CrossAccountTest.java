package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.Samples.eni;
import static io.tidemark.provider.aws.eni.Samples.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("VPC and subnets of another account (provider-aws 7.2), zones by id (2.3 S5)")
class CrossAccountTest {
  private final EniWorld world = EniWorld.in("crossAccount", true);

  private CompletionStage<AllocationOutcome> creating(String code) {
    NodeOperations node = world.node("node1");
    world.refuse("AttachNetworkInterface", code, 403);
    return world.creating(node, 4);
  }

  @DisplayName(
      "Until the permission has arrived, attaching is tried again, with the same interface")
  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "InvalidNetworkInterfaceID.NotFound",
        "UnauthorizedOperation",
        "OperationNotPermitted"
      })
  void permissionArrives(String code) {
    CompletionStage<AllocationOutcome> stage = creating(code);
    world.run(Duration.ofSeconds(20));
    assertThat(stage.toCompletableFuture().isDone()).isFalse();
    assertThat(world.sent("AttachNetworkInterface")).isBetween(5L, 11L);
    world.faults();
    assertThat(world.await(stage)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.sent("CreateNetworkInterface")).isEqualTo(1);
    assertThat(world.sent("DeleteNetworkInterface")).isZero();
    assertThat(world.interfaces("node1")).hasSize(2);
  }

  @DisplayName("a permission that does not arrive")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          After thirty seconds it has not arrived: the interface is deleted, and the failure is reported \
            | with crossAccount; node; refuse AttachNetworkInterface UnauthorizedOperation 403; \
              creates 4; 29s; unended; 5s; ends Refused; unattached 0; sent CreateNetworkInterface 1
          In one account the same refusal ends the creation at once \
            | node; refuse AttachNetworkInterface UnauthorizedOperation 403; creates 4; 1s; \
              ended Refused
          """)
  void story(String what, String story) {
    EniStory.run(new EniWorld(), what, story);
  }

  private static AwsSubnet subnet(String id, String zone, String zoneId, String outpost) {
    return Copies.with(
        Samples.subnet(id, "vpc-1", zone, 100, Map.of()),
        Map.of("availabilityZoneId", zoneId, "outpostArn", outpost));
  }

  @DisplayName("A subnet is near by the id of its zone, and on the same Outpost or on none")
  @ParameterizedTest(name = "home {0}/{1}/{2}, other {3}/{4}/{5}: {6}")
  @CsvSource({
    "a, use1-az1, '', a, use1-az1, '', true",
    "a, use1-az1, '', b, use1-az1, '', true",
    "a, use1-az1, '', a, use1-az2, '', false",
    "a, use1-bos1-az1, '', a, use1-az1, '', false",
    "a, use1-az1, '', a, '', '', true",
    "a, use1-az1, '', b, '', '', false",
    "a, '', '', b, use1-az1, '', false",
    "a, use1-az1, arn:op-1, a, use1-az1, arn:op-1, true",
    "a, use1-az1, arn:op-1, a, use1-az1, '', false",
    "a, use1-az1, '', a, use1-az1, arn:op-1, false"
  })
  void zones(
      String zone,
      String id,
      String outpost,
      String zone2,
      String id2,
      String outpost2,
      boolean near) {
    AwsSubnet own = subnet("s-1", zone, id, outpost);
    AwsSubnet other = subnet("s-2", zone2, id2, outpost2);
    Networks networks = Networks.NONE.withSubnets(List.of(own, other));
    List<PoolId> eligible =
        SubnetSelector.of(
                spec(List.of(), Map.of(), ""),
                List.of(eni(0, 0, 0)),
                networks,
                "",
                Samples.SETTINGS)
            .eligible(List.of(Samples.pool(own, false), Samples.pool(other, false)), 9, 10)
            .stream()
            .map(Pool::id)
            .toList();
    assertThat(eligible.contains(new PoolId("s-2"))).isEqualTo(near);
    assertThat(eligible).contains(new PoolId("s-1"));
  }
}
