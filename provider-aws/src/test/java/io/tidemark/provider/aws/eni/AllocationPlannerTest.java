package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.Samples.eni;
import static io.tidemark.provider.aws.eni.Samples.pool;
import static io.tidemark.provider.aws.eni.Samples.slots;
import static io.tidemark.provider.aws.eni.Samples.spec;
import static io.tidemark.provider.aws.eni.Samples.subnet;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.ConnectionTracking;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What to do next for a node that lacks addresses")
class AllocationPlannerTest {
  private static AllocationAction plan(
      String type,
      boolean prefixes,
      EniSettings settings,
      List<Pool<AwsSubnet>> pools,
      AwsEni... enis) {
    EniSlots slots = slots(type, spec(0, false, Map.of()), prefixes);
    Networks networks = Networks.NONE.withSubnets(pools.stream().map(Pool::subnet).toList());
    List<AwsEni> interfaces = List.of(enis);
    return new EniRules(
            slots,
            new InstanceView<>(1, interfaces, false),
            SubnetSelector.of(spec(0, false, Map.of()), interfaces, networks, "", settings),
            pools,
            false)
        .planner()
        .plan();
  }

  private static AllocationAction plan(
      boolean prefixes, List<Pool<AwsSubnet>> pools, AwsEni... enis) {
    return plan("m5.large", prefixes, Samples.SETTINGS, pools, enis);
  }

  @Test
  @DisplayName("3.2 an interface with room is filled before another is made")
  void fills() {
    AllocationAction action = plan(false, List.of(pool("s-1", 200)), eni(0, 4, 0));
    assertThat(action.onInterface()).contains(new InterfaceId("eni-0"));
    assertThat(action.pool()).contains(new PoolId("s-1"));
    assertThat(action.ipv4().roomOnInterface()).isEqualTo(5);
    assertThat(action.ipv4().interfaceCandidates()).isEqualTo(1);
    assertThat(action.emptyInterfaceSlots()).isEqualTo(2);
    assertThat(action.firstCalls()).hasSize(1);
  }

  @Test
  @DisplayName("AWS-44 a full interface is no candidate; the next one is made")
  void full() {
    AllocationAction action = plan(true, List.of(pool("s-1", 100)), eni(0, 0, 9));
    assertThat(action.onInterface()).isEmpty();
    assertThat(action.ipv4().interfaceCandidates()).isZero();
    assertThat(action.ipv4().roomOnInterface()).isZero();
    assertThat(action.emptyInterfaceSlots()).isEqualTo(2);
    assertThat(action.blocked()).isEmpty();
  }

  @Test
  @DisplayName("AWS-41 an interface with a prefix in a small subnet is filled all the same")
  void smallSubnet() {
    AllocationAction action = plan(true, List.of(pool("s-1", 15), pool("y", 2000)), eni(0, 0, 1));
    assertThat(action.onInterface()).contains(new InterfaceId("eni-0"));
    assertThat(action.ipv4().interfaceCandidates()).isEqualTo(1);
    assertThat(action.ipv4().roomOnInterface()).isPositive();
  }

  @Test
  @DisplayName("AWS-46 a subnet without free addresses: a candidate, and nothing to fill it from")
  void emptySubnet() {
    AllocationAction action = plan(false, List.of(pool("s-1", 0)), eni(0, 4, 0));
    assertThat(action.onInterface()).isEmpty();
    assertThat(action.emptyInterfaceSlots()).isPositive();
    assertThat(action.blocked().orElseThrow().reason()).isEqualTo(BlockedReason.SUBNET_EXHAUSTED);
  }

  @Test
  @DisplayName("AWS-79 over the limit of interfaces nothing is made")
  void overTheLimit() {
    AllocationAction action =
        plan(
            "m4.large",
            false,
            Samples.SETTINGS,
            List.of(pool("s-1", 200)),
            eni(0, 9, 0),
            eni(1, 9, 0),
            eni(2, 9, 0));
    assertThat(action.emptyInterfaceSlots()).isNegative();
    assertThat(action.blocked().orElseThrow().reason()).isEqualTo(BlockedReason.OUT_OF_INTERFACES);
  }

  @Test
  @DisplayName("with prefixes, the interface whose subnet may have one goes first")
  void unfragmentedFirst() {
    AwsEni other =
        new AwsEni(
            new InterfaceId("eni-9"),
            new AwsEni.Place("a", 0, 1, true),
            AwsEni.Kind.ORDINARY,
            new PoolId("y"),
            "",
            "",
            eni(1, 0, 0).primary(),
            eni(1, 0, 0).singles(),
            List.of(),
            List.of(),
            List.of(),
            Map.of(),
            java.util.Optional.empty(),
            ConnectionTracking.DEFAULT);
    Pool<AwsSubnet> fragmented = pool(subnet("s-1", "vpc-1", "a", 500, Map.of()), true);
    AllocationAction action = plan(true, List.of(fragmented, pool("y", 300)), eni(0, 0, 0), other);
    assertThat(action.onInterface()).contains(new InterfaceId("eni-9"));
    assertThat(action.ipv4().blockSize()).isEqualTo(16);
  }

  @Test
  @DisplayName("M2 the fastest path offers the other bucket too, the cheapest does not")
  void fastest() {
    EniSettings fastest = SettingsSample.USUAL.withFastest(true).build();
    assertThat(
            plan("m5.large", false, fastest, List.of(pool("s-1", 200)), eni(0, 0, 0)).firstCalls())
        .hasSize(2);
  }

  @Test
  @DisplayName("M5 after a lost answer nothing is planned until EC2 has shown what became of it")
  void doubtful() {
    AllocationAction action =
        new EniRules(
                slots("m5.large", spec(0, false, Map.of()), false),
                new InstanceView<>(1, List.of(eni(0, 0, 0)), true),
                SubnetSelector.of(
                    spec(0, false, Map.of()), List.of(), Networks.NONE, "", Samples.SETTINGS),
                List.of(pool("s-1", 200)),
                false)
            .planner()
            .plan();
    assertThat(action.blocked().orElseThrow().reason()).isEqualTo(BlockedReason.READING_BACK);
  }

  private static Blocked why(EniSlots slots, List<Pool<AwsSubnet>> pools, AwsEni... enis) {
    Networks networks = Networks.NONE.withSubnets(pools.stream().map(Pool::subnet).toList());
    List<AwsEni> interfaces = List.of(enis);
    return new EniRules(
            slots,
            new InstanceView<>(1, interfaces, false),
            SubnetSelector.of(slots.spec(), interfaces, networks, "", Samples.SETTINGS),
            pools,
            false)
        .planner()
        .plan()
        .blocked()
        .orElseThrow();
  }

  @Test
  @DisplayName("why nothing can be added: no room in the subnet of an interface, and none empty")
  void fullSubnet() {
    Blocked blocked =
        why(
            slots("m4.large", spec(0, false, Map.of()), false),
            List.of(pool("s-1", 0)),
            eni(0, 9, 0),
            eni(1, 4, 0));
    assertThat(blocked.reason()).isEqualTo(BlockedReason.SUBNET_EXHAUSTED);
    assertThat(blocked.detail()).contains("no free address in", "s-1");
  }

  @Test
  @DisplayName("why nothing can be added: singles hold the places that prefixes wanted")
  void fragmented() {
    Blocked blocked =
        why(
            slots("t3.micro", spec(0, false, Map.of()), true),
            List.of(pool("s-1", 100)),
            eni(0, 1, 0),
            eni(1, 0, 1));
    assertThat(blocked.reason()).isEqualTo(BlockedReason.SUBNET_FRAGMENTED);
    assertThat(blocked.detail()).startsWith("1 places hold single addresses");
  }

  @Test
  @DisplayName("why nothing can be added: all places taken, from the first index on")
  void allTaken() {
    Blocked blocked =
        why(
            slots("t3.micro", spec(1, false, Map.of()), true),
            List.of(pool("s-1", 100)),
            eni(0, 1, 0),
            eni(1, 0, 1));
    assertThat(blocked.reason()).isEqualTo(BlockedReason.OUT_OF_INTERFACES);
    assertThat(blocked.detail()).contains("2 of 2 interfaces").contains("at device index 1");

    Blocked any =
        why(
            slots("t3.micro", spec(0, false, Map.of()), false),
            List.of(pool("s-1", 100)),
            eni(0, 1, 0),
            eni(1, 1, 0));
    assertThat(any.detail()).doesNotContain("device index");
  }

  @Test
  @DisplayName("why nothing can be added: no subnet is selected, or none has room for an interface")
  void noSubnet() {
    EniSlots slots = slots("m5.large", spec(0, false, Map.of()), false);
    Pool<AwsSubnet> elsewhere = pool(subnet("s-2", "vpc-1", "b", 100, Map.of()), false);
    assertThat(why(slots, List.of(elsewhere), eni(0, 9, 0)).reason())
        .isEqualTo(BlockedReason.NO_SUBNET);
    Blocked small = why(slots, List.of(pool("s-1", 1)), eni(0, 9, 0));
    assertThat(small.reason()).isEqualTo(BlockedReason.SUBNET_EXHAUSTED);
    assertThat(small.detail()).contains("fewer than 2 free addresses in", "s-1");
  }

  @Test
  @DisplayName("room on an interface is bounded by its places and by whole blocks of its subnet")
  void roomByBlocks() {
    assertThat(plan(true, List.of(pool("s-1", 100)), eni(0, 0, 1)).ipv4().roomOnInterface())
        .as("100 free addresses are six blocks")
        .isEqualTo(96);
    assertThat(plan(true, List.of(pool("s-1", 1000)), eni(0, 0, 1)).ipv4().roomOnInterface())
        .as("eight places are free")
        .isEqualTo(128);
    AllocationAction singles = plan(false, List.of(pool("s-1", 3)), eni(0, 0, 0));
    assertThat(singles.ipv4().roomOnInterface()).as("three addresses are free").isEqualTo(3);
  }

  @Test
  @DisplayName("a creation asks for blocks where the subnet may have one, and for IPv6 where it is")
  void creates() {
    Pool<AwsSubnet> fragmented = pool(subnet("s-1", "vpc-1", "a", 500, Map.of()), true);
    assertThat(plan(true, List.of(pool("s-1", 500)), eni(0, 0, 9)).ipv4().blockSize())
        .isEqualTo(16);
    assertThat(plan(true, List.of(fragmented), eni(0, 0, 9)).ipv4().blockSize()).isEqualTo(1);
    assertThat(plan(false, List.of(pool("s-1", 500)), eni(0, 9, 0)).ipv4().blockSize())
        .isEqualTo(1);
  }
}
