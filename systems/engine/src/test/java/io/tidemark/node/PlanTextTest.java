package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A plan as a sentence for people")
class PlanTextTest {
  private static AllocationAction action(
      Optional<String> on, int wanted, OptionalInt ceiling, int blockSize) {
    return new AllocationAction(
        on.map(InterfaceId::new),
        on.map(any -> new PoolId("subnet-1")),
        1,
        new AddressPlan(100, wanted, ceiling, blockSize, 1),
        0,
        List.of(),
        Optional.empty());
  }

  private static ReleaseAction release(Optional<String> on, int singles, Cidr... blocks) {
    return new ReleaseAction(
        on.map(InterfaceId::new),
        Optional.empty(),
        AddressSet.ofRange(Cidr.parse("10.0.0.0/24")).first(singles),
        List.of(blocks),
        ScriptedProvider.RELEASE);
  }

  static Stream<Arguments> plans() {
    OptionalInt none = OptionalInt.empty();
    Optional<String> on = Optional.of("eni-1");
    Blocked why = new Blocked(BlockedReason.NO_SUBNET, "no subnet fits");
    Cidr block = Cidr.parse("10.0.1.0/28");
    return Stream.of(
        arguments(
            new MaintenancePlan.Allocate(action(on, 9, none, 1)),
            9,
            "allocate 9 addresses on eni-1 from subnet-1"),
        arguments(
            new MaintenancePlan.Allocate(action(on, 9, OptionalInt.of(4), 1)),
            9,
            "allocate 4 addresses on eni-1 from subnet-1"),
        arguments(
            new MaintenancePlan.Allocate(action(Optional.empty(), 9, none, 16)),
            9,
            "allocate 9 addresses in blocks of 16 on ?"),
        arguments(
            new MaintenancePlan.CreateInterface(action(on, 5, none, 1)),
            5,
            "create an interface with up to 5 addresses from subnet-1"),
        arguments(new MaintenancePlan.Idle(), 0, "idle: nothing to do"),
        arguments(new MaintenancePlan.Stuck(why), 0, "none: no subnet fits"),
        arguments(
            new MaintenancePlan.DrainWaits(why),
            0,
            "idle: the drain waits, its free addresses stay in use: no subnet fits"),
        arguments(
            new MaintenancePlan.Release(release(on, 2, block), Optional.empty()),
            0,
            "release 18 addresses of eni-1, 0 of them acknowledged"),
        arguments(
            new MaintenancePlan.Release(
                release(Optional.empty(), 2), Optional.of(release(Optional.empty(), 1))),
            0,
            "release 2 addresses, 1 of them acknowledged"),
        arguments(
            new MaintenancePlan.ReleaseCidrs(List.of(release(on, 1), release(on, 2))),
            0,
            "release what the agent dropped on 2 interfaces"),
        arguments(
            new MaintenancePlan.AssignStaticAddress(Map.of("pool", "blue")),
            0,
            "assign a public address with tags {pool=blue}"));
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource("plans")
  @DisplayName("says what is asked for or given back, how much of it, where and why not")
  void text(MaintenancePlan plan, int asksFor, String text) {
    assertThat(plan.toText()).isEqualTo(text);
    assertThat(plan.asksFor()).isEqualTo(asksFor);
    assertThat(plan.adds()).isEqualTo(asksFor > 0);
  }
}
