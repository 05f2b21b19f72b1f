package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.Samples.eni;
import static io.tidemark.provider.aws.eni.Samples.pool;
import static io.tidemark.provider.aws.eni.Samples.slots;
import static io.tidemark.provider.aws.eni.Samples.spec;
import static io.tidemark.provider.aws.eni.Samples.subnet;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InterfaceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What to do next for a node of EC2 that lacks addresses")
class AllocationPlannerTest {
  private static AllocationAction plan(
      EniSlots slots, EniSettings settings, List<Pool<AwsSubnet>> pools, List<AwsEni> enis) {
    Networks networks = Networks.NONE.withSubnets(pools.stream().map(Pool::subnet).toList());
    return new EniRules(
            slots,
            new InstanceView<>(1, enis, false),
            SubnetSelector.of(slots.spec(), enis, networks, "", settings),
            pools,
            false)
        .planner()
        .plan();
  }

  private static Blocked why(EniSlots slots, Pool<AwsSubnet> pool, AwsEni... enis) {
    return plan(slots, Samples.SETTINGS, List.of(pool), List.of(enis)).blocked().orElseThrow();
  }

  @DisplayName("3.2 an interface with room is filled, the first one first, before another is made")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          3.2 the lowest index first          | m5.large | false | 200 | 4+0 2+0     | eni-0 | 1  |
          AWS-44 a full one is no candidate   | m5.large | true  | 100 | 0+9         | none  | 2  |
          AWS-41 in a small subnet all the same | m5.large | true | 15 | 0+1         | eni-0 | 2  |
          AWS-46 nothing to fill it from      | m5.large | false | 0   | 4+0         | none  | 2  | SUBNET_EXHAUSTED
          AWS-79 over the limit none is made  | m4.large | false | 200 | 9+0 9+0 9+0 | none  | -1 | OUT_OF_INTERFACES
          """)
  void next(
      String name,
      String type,
      boolean prefixes,
      int free,
      String attached,
      String on,
      int emptySlots,
      @Nullable BlockedReason blocked) {
    List<AwsEni> enis = new ArrayList<>();
    for (String each : attached.split(" ", -1)) {
      String[] counts = each.split("\\+", -1);
      enis.add(eni(enis.size(), Integer.parseInt(counts[0]), Integer.parseInt(counts[1])));
    }
    AllocationAction action =
        plan(
            slots(type, spec(0, false, Map.of()), prefixes),
            Samples.SETTINGS,
            List.of(pool("s-1", free), pool("y", blocked == null ? 2000 : 0)),
            enis);
    assertThat(action.onInterface().map(InterfaceId::text).orElse("none")).isEqualTo(on);
    assertThat(action.emptyInterfaceSlots()).isEqualTo(emptySlots);
    assertThat(action.blocked().map(Blocked::reason)).isEqualTo(Optional.ofNullable(blocked));
  }

  @Test
  @DisplayName("M2 the fastest path offers the other bucket too, the cheapest does not")
  void fastest() {
    for (boolean fastest : new boolean[] {true, false}) {
      EniSettings settings = Copies.with(Samples.SETTINGS, "fastest", fastest);
      EniSlots slots = slots("m5.large", spec(0, false, Map.of()), false);
      assertThat(
              plan(slots, settings, List.of(pool("s-1", 200)), List.of(eni(0, 0, 0))).firstCalls())
          .hasSize(fastest ? 2 : 1);
    }
  }

  @Test
  @DisplayName("why nothing can be added: all places taken, from the first index on")
  void allTaken() {
    Blocked blocked =
        why(
            slots("t3.micro", spec(1, false, Map.of()), true),
            pool("s-1", 100),
            eni(0, 1, 0),
            eni(1, 0, 1));
    assertThat(blocked.reason()).isEqualTo(BlockedReason.OUT_OF_INTERFACES);
    assertThat(blocked.detail()).contains("2 of 2 interfaces").contains("at device index 1");
    Blocked any =
        why(
            slots("t3.micro", spec(0, false, Map.of()), false),
            pool("s-1", 100),
            eni(0, 1, 0),
            eni(1, 1, 0));
    assertThat(any.detail()).doesNotContain("device index");
  }

  @Test
  @DisplayName("why nothing can be added: no subnet of the node's zone is there")
  void noSubnet() {
    Pool<AwsSubnet> elsewhere = pool(subnet("s-2", "vpc-1", "b", 100, Map.of()), false);
    EniSlots slots = slots("m5.large", spec(0, false, Map.of()), false);
    assertThat(why(slots, elsewhere, eni(0, 9, 0)).reason()).isEqualTo(BlockedReason.NO_SUBNET);
  }
}
