package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What the write of a release completes beside (N49)")
class CompletingReleaseTest {
  private final AzureWorld world = new AzureWorld(ModelOptions.of(1));

  /** Own writes do not take precedence over reads any more. */
  private void ownWritesExpire() {
    world.time.runUntil(world.time.nanos() + Duration.ofMinutes(6).toNanos());
  }

  private OneNode machine() {
    return OneNode.on(world, Form.MACHINE.machine);
  }

  private OneNode withBlocks() {
    return OneNode.withBlocks(world, world.allocation(), Form.MACHINE.machine);
  }

  /** A write that fails leaves so many addresses incomplete on the machine's interface. */
  private void leaveIncomplete(OneNode node, int addresses) {
    world.azure.faults(
        List.of(ArmFault.every(Form.MACHINE.put, ArmFault.Kind.FAIL_OPERATION).window(0, 1)));
    assertThat(node.allocate(addresses)).isInstanceOf(AllocationOutcome.Refused.class);
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
  }

  @Test
  @DisplayName("AZ-N49 a block that the write of a release completes is known at once")
  void completesBlock() {
    OneNode node = withBlocks();
    node.added(16);
    List<Cidr> first = node.blocks();
    leaveIncomplete(node, 16);
    assertThat(node.blocks()).isEqualTo(first);
    assertThat(node.release(Set.copyOf(first))).isInstanceOf(ReleaseOutcome.Released.class);
    assertThat(node.blocks()).hasSize(1).doesNotContainAnyElementsOf(first);
    assertThat(world.addresses(AzureWorld.MACHINE)).contains(node.blocks().get(0).toString());
  }

  @Test
  @DisplayName("AZ-N49 what was there before such a write is not taken for its effect")
  void completesNoMore() {
    OneNode node = machine();
    AddressSet three = node.added(3);
    ownWritesExpire();
    leaveIncomplete(node, 2);
    node.release(OneNode.singles(three.first(1)));
    assertThat(node.addresses().size()).isEqualTo(2 + 2);
    machine().release(OneNode.singles(three.last(1)));
    node.sync();
    assertThat(node.addresses().size()).as("another has released one").isEqualTo(1 + 2);
  }

  @Test
  @DisplayName("AZ-N49 nor are blocks that were there before")
  void completesNoMoreBlocks() {
    OneNode node = withBlocks();
    node.added(48);
    List<Cidr> three = node.blocks();
    ownWritesExpire();
    leaveIncomplete(node, 16);
    node.release(Set.of(three.get(0)));
    assertThat(node.blocks()).hasSize(2 + 1);
    withBlocks().release(Set.of(three.get(2)));
    node.sync();
    assertThat(node.blocks()).as("another has released one").hasSize(1 + 1);
  }

  @Test
  @DisplayName("AZ-N49 nor is what another has added before a release taken for its effect")
  void addedByOthers() {
    OneNode node = machine();
    AddressSet two = node.added(2);
    ownWritesExpire();
    OneNode other = machine();
    AddressSet theirs = other.added(2);
    node.release(OneNode.singles(two.first(1)));
    other.sync();
    other.release(OneNode.singles(theirs));
    node.sync();
    assertThat(node.addresses()).isEqualTo(two.last(1));
  }
}
