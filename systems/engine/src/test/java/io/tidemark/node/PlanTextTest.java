package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallKind;
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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A plan as a sentence for people")
class PlanTextTest {
  private static final Blocked WHY = new Blocked(BlockedReason.NO_SUBNET, "no subnet fits");

  private static AllocationAction action(boolean placed, AddressPlan plan) {
    return new AllocationAction(
        placed ? Optional.of(new InterfaceId("eni-1")) : Optional.empty(),
        placed ? Optional.of(new PoolId("subnet-1")) : Optional.empty(),
        1,
        plan,
        0,
        List.of(),
        Optional.empty());
  }

  private static AddressPlan wants(int wanted, OptionalInt ceiling, int blockSize) {
    return new AddressPlan(100, wanted, ceiling, blockSize, 1);
  }

  private static ReleaseAction release(boolean placed, int singles, String... blocks) {
    return new ReleaseAction(
        placed ? Optional.of(new InterfaceId("eni-1")) : Optional.empty(),
        Optional.empty(),
        AddressSet.ofRange(Cidr.parse("10.0.0.0/24")).first(singles),
        java.util.Arrays.stream(blocks).map(Cidr::parse).toList(),
        new CallKind("release", CallKind.Effect.REPEATABLE));
  }

  @Test
  @DisplayName("what is asked for, how much of it the ceiling leaves, where and from what")
  void allocations() {
    OptionalInt none = OptionalInt.empty();
    assertThat(new MaintenancePlan.Allocate(action(true, wants(9, none, 1))).toText())
        .isEqualTo("allocate 9 addresses on eni-1 from subnet-1");
    assertThat(new MaintenancePlan.Allocate(action(true, wants(9, OptionalInt.of(4), 1))).toText())
        .isEqualTo("allocate 4 addresses on eni-1 from subnet-1");
    assertThat(new MaintenancePlan.Allocate(action(false, wants(9, none, 16))).toText())
        .isEqualTo("allocate 9 addresses in blocks of 16 on ?");
    assertThat(new MaintenancePlan.CreateInterface(action(true, wants(5, none, 1))).toText())
        .isEqualTo("create an interface with up to 5 addresses from subnet-1");
  }

  @Test
  @DisplayName("what keeps a node from anything, or lets it rest")
  void withoutChange() {
    assertThat(new MaintenancePlan.Idle().toText()).isEqualTo("idle: nothing to do");
    assertThat(new MaintenancePlan.Stuck(WHY).toText()).isEqualTo("none: no subnet fits");
    assertThat(new MaintenancePlan.DrainWaits(WHY).toText())
        .isEqualTo("idle: the drain waits, its free addresses stay in use: no subnet fits");
  }

  @Test
  @DisplayName("what is given back, and how much of it the agent has acknowledged")
  void releases() {
    assertThat(
            new MaintenancePlan.Release(release(true, 2, "10.0.1.0/28"), Optional.empty()).toText())
        .isEqualTo("release 18 addresses of eni-1, 0 of them acknowledged");
    assertThat(
            new MaintenancePlan.Release(release(false, 2), Optional.of(release(false, 1))).toText())
        .isEqualTo("release 2 addresses, 1 of them acknowledged");
    assertThat(
            new MaintenancePlan.ReleaseCidrs(List.of(release(true, 1), release(true, 2))).toText())
        .isEqualTo("release what the agent dropped on 2 interfaces");
  }

  @Test
  @DisplayName("the public address with the tags that it is looked for by")
  void publicAddress() {
    assertThat(new MaintenancePlan.AssignStaticAddress(Map.of("pool", "blue")).toText())
        .isEqualTo("assign a public address with tags {pool=blue}");
  }

  @Test
  @DisplayName("only plans that add addresses ask for some")
  void asksFor() {
    AllocationAction action = action(true, wants(7, OptionalInt.empty(), 1));
    assertThat(new MaintenancePlan.Allocate(action).asksFor()).isEqualTo(7);
    assertThat(new MaintenancePlan.CreateInterface(action).asksFor()).isEqualTo(7);
    assertThat(new MaintenancePlan.Idle().asksFor()).isZero();
    assertThat(new MaintenancePlan.Allocate(action).adds()).isTrue();
    assertThat(new MaintenancePlan.CreateInterface(action).adds()).isTrue();
    assertThat(new MaintenancePlan.Stuck(WHY).adds()).isFalse();
  }
}
