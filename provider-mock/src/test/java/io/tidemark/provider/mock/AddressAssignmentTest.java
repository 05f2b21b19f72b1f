package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.pool.PoolLedger;
import io.tidemark.provider.mock.cloud.CloudErrorCode;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.Fault;
import io.tidemark.provider.mock.cloud.FaultRule;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.Samples;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Adding addresses to an interface")
class AddressAssignmentTest {
  private static final CloudOperation ASSIGN = CloudOperation.ASSIGN_PRIVATE_IP_ADDRESSES;

  private static void occupyAllBut(ProviderWorld world, String... blocks) {
    world.cloud.setup().occupy("subnet-a", AddressSet.ofRange(Cidr.parse("10.0.0.0/20")));
    for (String block : blocks) {
      world.cloud.setup().vacate("subnet-a", AddressSet.ofRange(Cidr.parse(block)));
    }
  }

  private static NodeOperations delegated(ProviderWorld world) {
    return world.node("a", Samples.eniSpec("m5.large"), new NodeSettings("a", true, true, false));
  }

  @Test
  @DisplayName("one block when several are not to be had, singles when none is")
  void ladder() {
    ProviderWorld world = ProviderWorld.calm();
    NodeOperations node = delegated(world);
    occupyAllBut(world, "10.0.1.0/28", "10.0.2.8/29", "10.0.3.8/29", "10.0.4.8/29");
    world.resync();

    assertThat(((AllocationOutcome.Allocated) world.allocate(node, 30)).addresses()).isEqualTo(16);
    assertThat(((AllocationOutcome.Allocated) world.allocate(node, 14)).addresses()).isEqualTo(8);
    assertThat(world.cloud.calls()).containsEntry(ASSIGN, 3L);
  }

  @Test
  @DisplayName("a subnet without blocks is not asked for one again for a while")
  void remembersFragmentation() {
    ProviderWorld world = ProviderWorld.calm();
    NodeOperations node = delegated(world);
    occupyAllBut(world, "10.0.2.8/29", "10.0.3.8/29", "10.0.4.8/29");
    world.resync();

    world.allocate(node, 2);
    world.allocate(node, 2);
    assertThat(world.cloud.calls()).containsEntry(ASSIGN, 3L);
    assertThat(ProviderWorld.size(node)).isEqualTo(4);

    world.cloud.setup().vacate("subnet-a", AddressSet.ofRange(Cidr.parse("10.0.7.0/24")));
    world.pass(PoolLedger.PAUSE);
    world.resync();
    world.allocate(node, 2);
    assertThat(ProviderWorld.size(node)).isEqualTo(20);
  }

  @Test
  @DisplayName("an exhausted subnet is known at once, and used again when a read shows room")
  void exhausted() {
    ProviderWorld world = ProviderWorld.calm();
    NodeOperations node = world.node("a", "m5.large");
    occupyAllBut(world);

    AllocationOutcome outcome = world.allocate(node, 3);
    assertThat(outcome).isInstanceOf(AllocationOutcome.PoolExhausted.class);
    assertThat(node.prepareIpAllocation().blocked().map(why -> why.reason()))
        .contains(BlockedReason.SUBNET_EXHAUSTED);

    world.cloud.setup().vacate("subnet-a", AddressSet.ofRange(Cidr.parse("10.0.7.0/24")));
    world.resync();
    assertThat(world.allocate(node, 3)).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  @Test
  @DisplayName("fewer than wanted is a success")
  void partial() {
    ProviderWorld world = ProviderWorld.withFaults(FaultRule.nth(ASSIGN, 1, new Fault.Partial(2)));
    NodeOperations node = world.node("a", "m5.large");

    assertThat(((AllocationOutcome.Allocated) world.allocate(node, 8)).addresses()).isEqualTo(2);
    assertThat(ProviderWorld.size(node)).isEqualTo(2);
  }

  @Test
  @DisplayName("F-9 a throttle is refused as such and creates no interface")
  void throttled() {
    ProviderWorld world =
        ProviderWorld.withFaults(
            FaultRule.always(
                ASSIGN,
                new Fault.Refuse(
                    CloudErrorCode.REQUEST_LIMIT_EXCEEDED, "Request limit exceeded.")));
    NodeOperations node = world.node("a", "m5.large");

    AllocationOutcome outcome = world.allocate(node, 8);

    assertThat(((AllocationOutcome.Refused) outcome).failure().kind())
        .isEqualTo(Failure.Kind.THROTTLED);
    assertThat(world.cloud.inspect().interfaces()).hasSize(1);
  }

  @Test
  @DisplayName("a full interface and a vanished one are told apart")
  void refusals() {
    ProviderWorld world = ProviderWorld.calm();
    NodeOperations node = world.node("a", "m5.large");
    String eni = world.cloud.attachedTo("i-a").get(0).id();
    var plan = node.prepareIpAllocation();
    var action = plan.with(plan.ipv4().wanting(9, java.util.OptionalInt.empty()), 0);
    try {
      world.cloud.assignPrivateIpAddresses(eni, 5, 0);
    } catch (Exception impossible) {
      throw new AssertionError(impossible);
    }

    assertThat(world.ended(node.allocateIps(action, world.context())))
        .isEqualTo(new AllocationOutcome.LimitReached(MockFailureClassifier.INTERFACE_FULL));
    world.cloud.setup().forget("i-a");
    AllocationOutcome gone = world.ended(node.allocateIps(action, world.context()));
    assertThat(((AllocationOutcome.Refused) gone).failure().kind())
        .isEqualTo(Failure.Kind.NOT_FOUND);
  }

  @Test
  @DisplayName(
      "a lost answer is unknown, is not repeated, and stops planning until it is read back")
  void lost() {
    ProviderWorld world =
        ProviderWorld.withFaults(FaultRule.nth(ASSIGN, 1, new Fault.LoseAnswer(true)));
    NodeOperations node = world.node("a", "m5.large");
    long before = ProviderWorld.known(node).generation();

    assertThat(world.allocate(node, 8)).isInstanceOf(AllocationOutcome.Unknown.class);
    long lost = ProviderWorld.known(node).generation();
    assertThat(lost).isGreaterThan(before);
    assertThat(node.prepareIpAllocation().blocked().map(why -> why.reason()))
        .contains(BlockedReason.READING_BACK);

    SyncOutcome sync = world.sync("i-a");
    assertThat(((SyncOutcome.Synced) sync).startedGeneration()).isGreaterThanOrEqualTo(lost);
    assertThat(ProviderWorld.size(node)).isEqualTo(8);
    assertThat(node.prepareIpAllocation().blocked()).isEmpty();
    assertThat(world.cloud.calls()).containsEntry(ASSIGN, 1L);
  }

  @Test
  @DisplayName("while reads lag, a lost assignment stays in doubt until its effect could be seen")
  void lostAndReadsLag() {
    Duration lag = Duration.ofSeconds(30);
    ProviderWorld world =
        ProviderWorld.lagging(lag, FaultRule.nth(ASSIGN, 1, new Fault.LoseAnswer(false)));
    NodeOperations node = world.node("a", "m5.large");
    world.pass(lag.plusSeconds(1));
    world.resync();

    world.allocate(node, 8);
    assertThat(world.sync("i-a")).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(node.prepareIpAllocation().blocked()).isPresent();
    world.pass(lag);
    assertThat(world.sync("i-a")).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.prepareIpAllocation().blocked()).isEmpty();
    assertThat(ProviderWorld.size(node)).isZero();
  }
}
