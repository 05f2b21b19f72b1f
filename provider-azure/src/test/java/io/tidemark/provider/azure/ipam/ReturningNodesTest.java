package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.AddressSet;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Nodes that are deleted and come back on the same machine (Z20, Z37)")
class ReturningNodesTest {
  private static final Duration LASTS = Duration.ofMinutes(3);

  private final AzureWorld world =
      new AzureWorld(ModelOptions.builder(1).operation(DelayRange.fixed(LASTS)).build());
  private final AzureAllocation azure = world.allocation(SettingsSample.ALWAYS_DUE);

  private void pass(Duration span) {
    world.time.runUntil(world.time.nanos() + span.toNanos());
  }

  /** The node is deleted, and comes back when no operation goes on any more. */
  private void assertReadAgain(OneNode node, int addresses) {
    azure.deleteInstance(world.id(node.machine));
    pass(LASTS);
    OneNode back = OneNode.unread(world, azure, world.resource(node.machine), false);
    back.resync();
    assertThat(back.node.inventory()).isInstanceOf(Inventory.Known.class);
    assertThat(back.addresses().size()).isEqualTo(addresses);
    assertThat(back.node.prepareIpAllocation().blocked()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("AZ-N25 an operation of the deleted node does not keep the next from a full read")
  void underWay(Form form) {
    OneNode node = OneNode.on(world, azure, form.machine);
    assertThat(world.await(node.begin(7, Duration.ofMinutes(1))))
        .isInstanceOf(AllocationOutcome.Unknown.class);
    assertReadAgain(node, 7);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("AZ-N25 nor does a conflict that the deleted node had with another operator")
  void unsettled(Form form) {
    OneNode node = OneNode.on(world, azure, form.machine);
    AddressSet two = node.added(2);
    OneNode other = OneNode.on(world, form.machine);
    CompletionStage<AllocationOutcome> theirs = other.begin(1, Duration.ofMinutes(5));
    assertThat(node.release(OneNode.singles(two.first(1))))
        .isInstanceOf(ReleaseOutcome.NothingReleased.class);
    assertReadAgain(node, 3);
    assertThat(world.await(theirs)).isInstanceOf(AllocationOutcome.Allocated.class);
  }
}
