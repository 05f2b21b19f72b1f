package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.network.BlockForm;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
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

  @TestFactory
  Stream<DynamicTest> stories() {
    return AzureStory.all(
        "inBlocks; ",
        """
        AZ-N34 a block that is shown by one address is no single while no model tells
          UNIFORM: cloud block-form: address-and-length; settings azure-blocks-on-scale-sets true;
          on; add 20 gets 32; name all; fault fail VirtualMachineScaleSetVMs.Get;
          settings azure-blocks-on-scale-sets true; on; has 0; noFault; sync ?; blocks 2; has all
        AZ-N35 one notice, too, when several instances have asked before the first answer
          UNIFORM: cloud operation: 20s; settings azure-blocks-on-scale-sets true; on; at SECOND;
          second: on; answers (,?"privateIPAddressPrefixLength":28)|/28(?=") =>; begin 16;
          second: add 16 gets 1; ends Allocated; blocks 0; second: blocks 0;
          reported BLOCKS_NOT_GIVEN
        AZ-N35 a virtual machine that gets a single for a block says nothing about sets
          MACHINE: fault fail-operation write times=1; singles; allocate 1 Refused;
          settings azure-blocks-on-scale-sets true; on; add 16 gets 1; reported nothing; at UNIFORM;
          instance: on; instance: add 16; instance: blocks 1
        AZ-N35 a model that cannot be read after the write says nothing about blocks
          UNIFORM: cloud block-form: address-and-length; settings azure-blocks-on-scale-sets true;
          on; fault fail VirtualMachineScaleSetVMs.Get skip=1; allocate 20 Unknown; noFault; sync ?;
          blocks 2; delegated; reported nothing
        AZ-N44 that an instance has lost its blocks is believed at the second sight
          UNIFORM: settings azure-blocks-on-scale-sets true; on; add 20 gets 32; name all; blocks 2;
          6m; upgrade; sync Failed; blocks 2; has all; 61s; sync; blocks 0
        Z31 without azure-blocks-on-scale-sets an instance is never asked for a block
          UNIFORM: on; add 20; notWritten PrefixLength
        Z30 where no block is free the same request is made for singles, once
          MACHINE: on; fault fail write status=400 code=InsufficientCidrBlocks times=1; add 20;
          blocks 0; writes 2
        Z23 with blocks 1,024 addresses; blocks take one place each
          MACHINE: on; maximum 1024; capacity 1024; add 160; azure 10; singles; has 160; room 245;
          capacity 405\
        """);
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
}
