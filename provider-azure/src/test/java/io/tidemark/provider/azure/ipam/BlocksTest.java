package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.network.BlockForm;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Blocks on Azure (Z30, Z31)")
class BlocksTest {
  private static final AzureSettings BLOCKS_ON_SETS =
      AzureSettingsSample.of("azure-blocks-on-scale-sets", "true");

  private AzureWorld world = new AzureWorld(ModelOptions.of(1));

  private static AzureWorld showing(BlockForm form) {
    return new AzureWorld(ModelOptions.builder(1).blockForm(form).build());
  }

  private OneNode machine() {
    return OneNode.withBlocks(world, world.allocation(), Form.MACHINE.machine);
  }

  private OneNode instance() {
    return OneNode.withBlocks(world, world.allocation(BLOCKS_ON_SETS), Form.UNIFORM.machine);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("AZ-N7 AZ-N34 a block is published by its sixteen addresses, and released whole")
  void forms(BlockForm form) {
    world = showing(form);
    for (OneNode node : List.of(machine(), instance())) {
      assertThat(node.added(20).size()).isEqualTo(32);
      node.sync();
      List<Cidr> blocks = node.blocks();
      assertThat(blocks).hasSize(2).allMatch(each -> each.prefixLength() == 28);
      assertThat(node.addresses().size()).isEqualTo(32);
      assertThat(node.shown().get(0).addresses()).hasSize(32);
      assertThat(node.release(Set.of(blocks.get(0)))).isInstanceOf(ReleaseOutcome.Released.class);
      node.sync();
      assertThat(node.blocks()).isEqualTo(blocks.subList(1, 2));
    }
    assertThat(world.reported).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("AZ-N34 a restart finds the blocks again, in whatever form")
  void restart(BlockForm form) {
    world = showing(form);
    OneNode machine = machine();
    OneNode instance = instance();
    machine.added(20);
    instance.added(20);
    assertThat(machine().blocks()).isEqualTo(machine.blocks());
    assertThat(instance().blocks()).isEqualTo(instance.blocks());
    assertThat(instance().addresses().size()).isEqualTo(32);
    OneNode published =
        OneNode.unread(
            world,
            world.allocation(BLOCKS_ON_SETS),
            instance.node.withProviderStatus(world.resource(instance.machine)),
            true);
    assertThat(published.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(published.blocks()).as("its status shows addresses").isEqualTo(instance.blocks());
  }

  @Test
  @DisplayName("AZ-N34 a block that is shown by one address is no single while no model tells")
  void modelNotReadAfterRestart() {
    world = showing(BlockForm.ADDRESS_AND_LENGTH);
    OneNode before = instance();
    before.added(20);
    world.azure.faults(ArmFault.every("VirtualMachineScaleSetVMs.Get", ArmFault.Kind.FAIL));
    OneNode node = instance();
    assertThat(node.addresses().isEmpty()).isTrue();
    world.azure.faults();
    node.sync();
    assertThat(node.blocks()).hasSize(2).isEqualTo(before.blocks());
  }

  @Test
  @DisplayName("AZ-N35 a set's API without blocks: one notice, singles, and no further attempt")
  void notGiven() {
    AzureAllocation azure = world.allocation(BLOCKS_ON_SETS);
    OneNode node = OneNode.withBlocks(world, azure, Form.UNIFORM.machine);
    world.way.rewriting(
        body ->
            body.replaceAll(",?\"privateIPAddressPrefixLength\":28", "").replace("/28\"", "\""));
    assertThat(node.allocate(20)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.reported).containsExactly(AzureError.BLOCKS_NOT_GIVEN);
    assertThat(node.blocks()).isEmpty();
    assertThat(node.node.isPrefixDelegated()).isFalse();
    node.added(5);
    OneNode other = OneNode.withBlocks(world, azure, Form.UNIFORM.machine.replaceAll("0$", "1"));
    assertThat(other.node.isPrefixDelegated()).isFalse();
    assertThat(other.added(5).size()).isEqualTo(5);
    assertThat(world.reported).hasSize(1);
    List<String> written = world.way.written();
    assertThat(written.subList(1, written.size()))
        .noneMatch(each -> each.contains("\"privateIPAddressPrefixLength\":28},\"name"))
        .allMatch(each -> each.contains("\"Tidemark-"));
  }

  @Test
  @DisplayName("AZ-N35 one notice, too, when several instances have asked before the first answer")
  void notGivenToSeveral() {
    world = AzureWorld.lasting(Duration.ofSeconds(20));
    AzureAllocation azure = world.allocation(BLOCKS_ON_SETS);
    OneNode first = OneNode.withBlocks(world, azure, Form.UNIFORM.machine);
    OneNode second = OneNode.withBlocks(world, azure, Form.UNIFORM.machine.replaceAll("0$", "1"));
    world.way.rewriting(
        body ->
            body.replaceAll(",?\"privateIPAddressPrefixLength\":28", "").replace("/28\"", "\""));
    CompletionStage<AllocationOutcome> earlier = first.begin(16, Duration.ofMinutes(5));
    second.added(16);
    assertThat(world.await(earlier)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(first.blocks()).isEmpty();
    assertThat(second.blocks()).isEmpty();
    assertThat(world.reported).containsExactly(AzureError.BLOCKS_NOT_GIVEN);
  }

  @Test
  @DisplayName("AZ-N35 a virtual machine that gets a single for a block says nothing about sets")
  void singleOfMachine() {
    AzureAllocation azure = world.allocation(BLOCKS_ON_SETS);
    world.azure.faults(ArmFault.every(Form.MACHINE.put, ArmFault.Kind.FAIL_OPERATION).once());
    assertThat(OneNode.on(world, world.allocation(), Form.MACHINE.machine).allocate(1))
        .isInstanceOf(AllocationOutcome.Refused.class);
    OneNode machine = OneNode.withBlocks(world, azure, Form.MACHINE.machine);
    assertThat(machine.added(16).size()).as("what was left incomplete comes alone").isEqualTo(1);
    assertThat(world.reported).isEmpty();
    OneNode instance = OneNode.withBlocks(world, azure, Form.UNIFORM.machine);
    instance.added(16);
    assertThat(instance.blocks()).hasSize(1);
  }

  @Test
  @DisplayName("AZ-N35 a model that cannot be read after the write says nothing about blocks")
  void modelNotRead() {
    world = showing(BlockForm.ADDRESS_AND_LENGTH);
    OneNode node = instance();
    world.azure.faults(
        ArmFault.every("VirtualMachineScaleSetVMs.Get", ArmFault.Kind.FAIL)
            .window(1, Integer.MAX_VALUE));
    assertThat(node.allocate(20)).isInstanceOf(AllocationOutcome.Unknown.class);
    world.azure.faults();
    node.sync();
    assertThat(node.blocks()).hasSize(2);
    assertThat(node.node.isPrefixDelegated()).isTrue();
    assertThat(world.reported).isEmpty();
  }

  @Test
  @DisplayName("AZ-N34 a block that is shown by one address alone is released whole")
  void releasedByAddress() {
    OneNode node = instance();
    world.way.rewriting(
        body ->
            body.contains("networkProfileConfiguration")
                ? body
                : body.replaceAll(",?\"privateIPAddressPrefixLength\":28", "")
                    .replace("/28\"", "\""));
    node.added(20);
    List<Cidr> blocks = node.blocks();
    assertThat(blocks).hasSize(2);
    assertThat(node.release(Set.of(blocks.get(0)))).isInstanceOf(ReleaseOutcome.Released.class);
    assertThat(world.writes()).isEqualTo(2);
    world.way.rewriting(body -> body);
    assertThat(world.added(Form.UNIFORM.target)).isEqualTo(1);
  }

  @Test
  @DisplayName("AZ-N44 that an instance has lost its blocks is believed at the second sight")
  void upgraded() {
    OneNode node = instance();
    node.added(20);
    List<Cidr> blocks = node.blocks();
    world.pass(Duration.ofMinutes(6));
    world.azure.change(owner -> owner.upgradeToModel(node.machine));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(node.blocks()).isEqualTo(blocks);
    world.pass(Duration.ofSeconds(61));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.blocks()).isEmpty();
  }

  @Test
  @DisplayName("Z31 without azure-blocks-on-scale-sets an instance is never asked for a block")
  void off() {
    OneNode node = OneNode.withBlocks(world, world.allocation(), Form.UNIFORM.machine);
    assertThat(node.added(20).size()).isEqualTo(20);
    assertThat(world.way.written()).noneMatch(each -> each.contains("PrefixLength"));
  }

  @Test
  @DisplayName("Z30 where no block is free the same request is made for singles, once")
  void fragmented() {
    OneNode node = machine();
    world.azure.faults(ArmFault.refusing(Form.MACHINE.put, 400, "InsufficientCidrBlocks").once());

    assertThat(node.added(20).size()).isEqualTo(20);
    assertThat(node.blocks()).isEmpty();
    assertThat(world.writes()).isEqualTo(2);
  }

  @Test
  @DisplayName("Z43 a node that has disabled prefix delegation gets singles")
  void disabled() {
    OneNode node =
        OneNode.unread(
            world,
            world.allocation(),
            AzureSpecSampleJson.with(
                world.resource(Form.MACHINE.machine), "{\"disable-prefix-delegation\":true}"),
            true);
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.node.isPrefixDelegated()).isFalse();
    assertThat(node.added(20).size()).isEqualTo(20);
  }

  @Test
  @DisplayName("Z23 with blocks 1,024 addresses; blocks take one place each")
  void ceiling() {
    OneNode node = machine();
    assertThat(node.node.maximumAllocatableIpv4()).hasValue(1_024);
    assertThat(node.known().statistics().capacityIpv4()).isEqualTo(1_024);
    node.added(160);
    assertThat(world.added(AzureWorld.MACHINE)).isEqualTo(10);
    OneNode singles = OneNode.on(world, world.allocation(), Form.MACHINE.machine);
    assertThat(singles.addresses().size()).isEqualTo(160);
    assertThat(singles.node.prepareIpAllocation().ipv4().roomOnInterface()).isEqualTo(245);
    assertThat(singles.known().statistics().capacityIpv4()).isEqualTo(160 + 245);
  }
}
