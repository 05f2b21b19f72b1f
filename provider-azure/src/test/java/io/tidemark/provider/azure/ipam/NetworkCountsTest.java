package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("When the counts of a virtual network are asked for, and how long they hold (Z39)")
class NetworkCountsTest {
  private static final String USAGES = "VirtualNetworks.ListUsage";
  private static final String SUBNET = "Subnets.Get";

  /** Kinds of requests whose responses take long to arrive. */
  private final Set<String> slow = new HashSet<>();

  private final AzureWorld world =
      AzureWorld.paced(
          ModelOptions.of(1),
          (site, timeout) ->
              EffectFate.answered(
                  Duration.ZERO,
                  slow.contains(site.operation()) ? Duration.ofSeconds(8) : Duration.ZERO));
  private final Landscape land = new Landscape(world);
  private final AzureAllocation azure = world.allocation();

  private OneNode on(String machine) {
    return OneNode.on(world, azure, machine);
  }

  private int free(String name) {
    PoolId pool = new PoolId(Landscape.subnet(name));
    return Objects.requireNonNull(azure.poolQuota().get(pool)).availableIps();
  }

  private void deny() {
    fail(ArmError.of(403, "AuthorizationFailed", "usages/read"));
  }

  private void fail(ArmError how) {
    world.azure.faults(ArmFault.every(USAGES, ArmFault.Kind.FAIL).withError(how));
  }

  @Test
  @DisplayName("a subnet that is seen after a count gets its number from that count")
  void seenAfterCount() {
    land.addSubnet("s1", "10.1.1.0/24");
    land.addSubnet("busy", 200, true, "10.1.2.0/24");
    on(land.addMachine("vm-1", "s1"));
    on(land.addMachine("vm-2", "busy"));
    assertThat(world.asked(USAGES)).isEqualTo(1);
    assertThat(free("busy")).as("as of the count, before vm-2 was there").isEqualTo(51);
  }

  @Test
  @DisplayName("no count from before is used once usages are not permitted any more")
  void deniedLater() {
    land.addSubnet("s1", "10.1.1.0/24");
    land.addSubnet("s2", "10.1.2.0/24");
    OneNode node = on(land.addMachine("vm-1", "s1"));
    world.pass(Duration.ofSeconds(61));
    deny();
    node.added(1);
    for (int i = 0; i < 10; i++) {
      land.addMachine("other-" + i, "s2");
    }
    on(land.addMachine("vm-2", "s2"));
    assertThat(free("s2")).as("as the subnet itself shows").isEqualTo(251 - 11);
  }

  @Test
  @DisplayName("usages that were not permitted are asked for again after an hour")
  void deniedForAnHour() {
    land.addSubnet("s1", "10.1.1.0/24");
    deny();
    on(land.addMachine("vm-1", "s1"));
    assertThat(world.asked(USAGES)).isEqualTo(1);
    world.azure.faults();
    world.pass(Duration.ofMinutes(59));
    world.await(azure.resync(world.context()));
    assertThat(world.asked(USAGES)).isEqualTo(1);
    world.pass(Duration.ofMinutes(5));
    world.await(azure.resync(world.context()));
    assertThat(world.asked(USAGES)).isEqualTo(2);
  }

  @Test
  @DisplayName("usages that fail for another reason do not lead to a read of each known subnet")
  void failedCount() {
    land.addSubnet("s1", "10.1.1.0/24");
    on(land.addMachine("vm-1", "s1"));
    assertThat(world.asked(SUBNET)).isEqualTo(1);
    fail(ArmError.of(400, "InvalidParameter", "x"));
    world.pass(Duration.ofMinutes(5));
    world.await(azure.resync(world.context()));
    world.pass(Duration.ofMinutes(1));
    assertThat(world.asked(USAGES)).isGreaterThan(1);
    assertThat(world.asked(SUBNET)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {USAGES, SUBNET})
  @DisplayName(
      "who comes while a network is read has its subnet at the end, and none is read twice")
  void comesMeanwhile(String request) {
    land.addSubnet("s1", "10.1.1.0/24");
    land.addSubnet("s2", "10.1.2.0/24");
    OneNode first = unread(land.addMachine("vm-1", "s1"));
    OneNode second = unread(land.addMachine("vm-2", "s2"));
    OneNode third = unread(land.addMachine("vm-3", "s1"));
    slow.add(request);
    CompletionStage<SyncOutcome> earlier = first.beginSync();
    world.pass(Duration.ofSeconds(1));
    CompletionStage<SyncOutcome> same = third.beginSync();
    CompletionStage<SyncOutcome> later = second.beginSync();
    assertThat(world.await(later)).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(world.await(same)).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(world.asked(SUBNET)).isEqualTo(2);
    assertThat(earlier.toCompletableFuture()).isCompleted();
    assertThat(free("s2")).isEqualTo(250);
    assertThat(second.blocked()).isEmpty();
  }

  private OneNode unread(String machine) {
    return OneNode.unread(world, azure, world.resource(machine), false);
  }
}
